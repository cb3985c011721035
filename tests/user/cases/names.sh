# Addresses of a process are named by what it has mapped: as numbers under %A, when it
# has executed another program at the same addresses, when its number is another's.
frames=$(dirname "$workload")/user_frames
expect '%A of a number, and what usym() gives' 'user_frames`leaf user_frames`leaf' \
  "$("$kinst" -q -c "$frames" -n 'pid$target:a.out:leaf:entry /!seen++/ {
       printf("%A ", uregs[R_RIP]); usym(uregs[R_RIP]); exit(0); }' 2>&1 | grep -v returns |
     tr -s ' ' | sed 's/ *$//')"

# One program at a fixed address by another; its stacks have been looked at before.
"$kinst" -q -w -c "${frames}_fixed exec ${frames}_other" -n '
  pid$target:a.out:leaf:entry { @before[ufunc(uregs[R_RIP])] = count(); ustack(1); }
  profile-997 /pid == $target && arg1 && execname == "user_frames_oth"/ {
    ++n; @[ustack()] = count(); }
  profile-997 /n == 200/ { raise(9); exit(0); }
  END { printf("stacks\n"); printa(@); }' > out 2> errors || fail "$(cat errors)"
expect "programs in the stacks of the second" 'user_frames_other' \
  "$(sed -n '/^stacks/,$p' out | grep -o 'user_frames[a-z_]*' | sort -u)"
grep -q 'user_frames_fixed`leaf' out || fail "the first program: $(cat out)"
sed -n '/^stacks/,$p' out | grep -q 'user_frames_other`spin' || fail "$(cat out)"
