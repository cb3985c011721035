# At every instruction ustack() and ucaller are the program's true callers: at entries,
# in leaves, before and after a frame is set up, without frame pointers, through the C
# library, in a signal's handler, where returns are traced as well; in programs that
# move, that do not, and that are stripped. The program itself knows its return address.
frames=$(dirname "$workload")/user_frames

# The names of the stack's frames in the program, from inside outwards: "leaf middle …".
names() {  # FILE
  sed -nE 's/^ +user_frames[a-z_]*`([a-z_]+).*/\1/p' "$1" | tr '\n' ' '
}

for program in "$frames" "${frames}_fixed"; do
  name=$(basename "$program")
  "$kinst" -q -c "$program" -n 'pid$target:a.out:leaf:[0-9a-f]* {
      @[probename, ucaller] = count(); }
    END { printa("%s %lx %@d\n", @); }' > out 2> errors || fail "$name: $(cat errors)"
  known=$(sed -n 's/leaf returns to //p' out)
  # Four calls by middle(), which the program tells of, and one by on_signal().
  awk -v known="$known" 'NF == 3 && $2 == known { print $1 }' out | sort > right
  awk 'NF == 3 { print $1 }' out | sort -u > all
  [ "$(wc -l < all)" -ge 8 ] || fail "$name: $(cat out)"
  expect "instructions of $name's leaf() with the right caller" "$(cat all)" "$(cat right)"
  expect "callers of leaf() in $name" 2 "$(awk 'NF == 3 { print $2 }' out | sort -u | wc -l)"

  # Every instruction of a function with a frame, every stack to its end.
  "$kinst" -q -c "$program" -n 'pid$target:a.out:middle:[0-9a-f]* {
      @[ustack()] = count(); }' > out 2> errors || fail "$name: $(cat errors)"
  expect "outer frames of $name at instructions of middle()" 'middle outer main ' \
    "$(awk -F '[`+ ]+' '/`(middle|outer|main)/ { if (!seen[$3]++) print $3 }' out |
       tr '\n' ' ')"
  expect "stacks of middle() in $name" \
    "$(grep -c '`middle' out) $(grep -c '`middle' out)" \
    "$(grep -c '`outer+' out) $(grep -c '`main+' out)"
done

# Without information the frame pointer must do, but not at entries.
"$kinst" -q -c "${frames}_plain" \
  -n 'pid$target:a.out:leaf:entry /!seen++/ { ustack(); }' > out 2>&1
expect 'an entry without call frame information' 'leaf middle outer main _start ' \
  "$(names out)"

"$kinst" -q -c "$frames" -n 'pid$target:a.out:compare:entry /!seen++/ { ustack(); }' \
  > out 2>&1
expect 'a callback of the C library' 'compare sort_numbers main _start ' "$(names out)"
grep -B 1 'sort_numbers' out | grep -q 'libc\.so\.6`qsort' ||
  fail "qsort is not where it was called: $(cat out)"

"$kinst" -q -c "$frames" -n 'pid$target:a.out:on_signal:entry { self->in = 1; }
  pid$target:a.out:leaf:entry /self->in/ { ustack(); }' > out 2>&1
expect "a signal's handler" 'leaf on_signal raise_signal main _start ' "$(names out)"
grep -B 1 'raise_signal' out | grep -q 'libc\.so\.6`.*raise' ||
  fail "raise() is not what the signal interrupted: $(cat out)"

# The program is ended from within its stack, or it would go on for ever.
"$kinst" -q -w -c "$frames clock" -n 'profile-997 /pid == $target && arg1 && n < 300/ {
    ++n; @[ustack()] = count(); }
  profile-997 /pid == $target && n == 300/ { raise(9); }' > out 2>&1
# The vDSO may call functions of its own.
expect 'a stack from the vDSO' '[vdso] libc.so.6 spin main' \
  "$(awk -F '[`+ ]+' '
     $2 == "[vdso]" { if (!frames) printf "%s ", $2; frames = 1; next }
     frames == 1 { printf "%s ", $2 } frames == 2 { printf "%s ", $3 }
     frames == 3 { print $3; exit }
     frames { ++frames }' out)"

# Others may trace returns by the kernel's own return probes, which replace return
# addresses: the true ones are then found in the kernel.
cat > beside_others << 'SCRIPT'
set -e
mount -t tracefs none "$PWD/tracefs"
cd tracefs
group=kinst_test_$$
trap 'echo 0 > events/$group/enable; printf "%s\n" "-:$group/middle" "-:$group/outer" >> uprobe_events' EXIT
for function in middle outer; do
  echo "r:$group/$function $2:0x$(nm "$2" | sed -n "s/^0*\([0-9a-f]*\) T $function$/\1/p")" >> uprobe_events
done
echo 1 > events/$group/enable
"$1" -q -c "$2" -n 'pid$target:a.out:leaf:entry /!seen++/ { ustack(); }'
SCRIPT
mkdir tracefs
if unshare -m sh -c 'mount -t tracefs none "$PWD/tracefs"' 2> /dev/null; then
  unshare -m sh ./beside_others "$kinst" "$frames" > out 2>&1 || fail "$(cat out)"
  expect 'a stack of functions whose returns others trace' \
    'leaf middle outer main _start ' "$(names out)"
else
  echo 'not tested: return probes of others, as tracefs cannot be mounted'
fi

expect 'the depth at two functions' 'leaf 1 more' \
  "$("$kinst" -q -c "$frames" -n 'pid$target:a.out:middle:entry { d = ustackdepth; }
     pid$target:a.out:leaf:entry /!seen++/ { printf("leaf %d more\n", ustackdepth - d); }' |
     grep "^leaf.*more")"

# Stripped, with its symbols in a file beside it.
mkdir .debug
cp "$frames" user_frames
objcopy --only-keep-debug user_frames .debug/user_frames.debug
strip user_frames
objcopy --add-gnu-debuglink=.debug/user_frames.debug user_frames
"$kinst" -q -c ./user_frames -n 'pid$target:a.out:leaf:entry /!seen++/ { ustack(); }' \
  > out 2>&1
expect 'a stripped program with a debug file' 'leaf middle outer main _start ' \
  "$(names out)"

# And by its build id.
id=$(readelf -n user_frames | sed -n 's/.*Build ID: //p')
mv .debug/user_frames.debug saved && rmdir .debug
if [ -n "$id" ] && [ -d /usr/lib/debug ] && unshare -m true 2> /dev/null; then
  unshare -m sh -c '
    mount -t tmpfs none /usr/lib/debug && mkdir -p /usr/lib/debug/.build-id/'"${id:0:2}"' &&
    cp saved /usr/lib/debug/.build-id/'"${id:0:2}/${id:2}"'.debug &&
    "$1" -q -c ./user_frames -n "pid\$target:a.out:leaf:entry /!seen++/ { ustack(); }"' \
    - "$kinst" > out 2>&1
  expect 'a stripped program with a debug file by build id' \
    'leaf middle outer main _start ' "$(names out)"
fi

# What the process executes in the place of its first program is known within seconds.
sh -c "sleep 1; exec $frames clock" &
program=$!
"$kinst" -q -p $program -n 'profile-97 /pid == $target && arg1/ { @[ustack()] = count(); }
  tick-1s /++n == 5/ { exit(0); }' > out 2>&1
kill $program
awk '/libc\.so\.6`clock_gettime/ { library = NR } /frames`spin\+/ { spin = NR }
  /frames`main\+/ && library == NR - 2 && spin == NR - 1 { found = 1 }
  END { exit !found }' out ||
  fail "no stack of a program that was executed later is complete: $(cat out)"
