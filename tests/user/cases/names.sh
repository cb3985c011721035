# Addresses of a process are named by what it has mapped: as numbers under %A, when it
# has executed another program at the same addresses, when its number is another's.
frames=$(dirname "$workload")/user_frames
"$kinst" -q -o named -c "$frames" -n 'pid$target:a.out:leaf:entry /!seen++/ {
  printf("%A ", uregs[R_RIP]); usym(uregs[R_RIP]); exit(0); }' > told 2>&1 || fail "$(cat told)"
expect '%A of a number, and what usym() gives' 'user_frames`leaf user_frames`leaf' \
  "$(grep . named | tr -s ' ' | sed 's/ *$//')"

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

# One library in the place of another, at the same address.
later=$(dirname "$workload")/user_later
mkfifo go
exec 8<> go
LATER_WAITS=1 "$kinst" -q -Z -x switchrate=10ms -c "$later load 4 ${later%/*}/later_one.so \
  ${later%/*}/later_two.so" -n '
  pid$target:later_*:inner_*:entry /arg0 == 0/ { printf("%x", uregs[R_RIP]); ustack(1); }' \
  <&8 > out 2> errors &
tracer=$!
for number in $(seq 8); do
  for _ in $(seq 200); do
    [ "$(grep -c '`' out)" -ge "$number" ] && break
    sleep 0.05
  done
  echo >&8  # at once, so that nobody has looked in between
done
wait $tracer || fail "$(cat errors)"
expect 'libraries at one address' \
  "$(for _ in 1 2 3 4; do printf '%s\n' 'later_one.so`inner_one' 'later_two.so`inner_two'; done)" \
  "$(sed -nE 's/^ +(later_.*`.*)/\1/p' out)"
[ "$(grep -E '^[0-9a-f]+$' out | sort -u | wc -l)" -lt 8 ] ||
  echo 'not tested: the libraries were never at one address'

# A process that has the number of one that ended.
unshare -pf --mount-proc test -w /proc/sys/kernel/ns_last_pid 2> /dev/null ||
  skip 'no process can be given a number here'
cat > reuse.sh << 'END'
"${frames}_fixed" clock & first=$!
"$kinst" -q -x switchrate=50ms -n 'BEGIN { printf("begun\n"); }
  profile-97 /arg1 && pid == $1/ { printf("%s", execname); ustack(3); }' $first > reused 2>&1 &
tracer=$!
until grep -q user_frames_fixed reused; do sleep 0.1; done
kill -9 $first
wait $first
second=0
for try in $(seq 20); do
  echo $((first - 1)) > /proc/sys/kernel/ns_last_pid
  "${frames}_other" clock & second=$!
  [ $second = $first ] && break
  kill -9 $second
done
[ $second = $first ] || exit 77
until grep -q user_frames_other reused; do sleep 0.1; done
sleep 0.5
kill -INT $tracer
wait $tracer
kill -9 $second
END
export kinst frames
status=0
timeout 60 unshare -pf --mount-proc bash reuse.sh 2> /dev/null || status=$?
[ $status = 77 ] && skip 'no process got the number of another'
expect 'programs of processes with one number' "user_frames_fix user_frames_fixed\`spin
user_frames_oth user_frames_other\`spin" \
  "$(awk '/^user_frames/ { name = $1 } /`spin/ { sub(/\+.*/, "", $1); print name, $1 }' \
     reused | sort -u)"
