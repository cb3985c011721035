# Whatever the file of a library is, stacks are printed, nothing is waited for, and no
# memory is taken for what the file only says it has.
for kind in sound fifo fifo_elsewhere no_bytes sparse cut_off named; do
  mkdir $kind
  cd $kind
  # 3 GB of addresses: kinst has some hundred MB of its own.
  (
    ulimit -v 3000000
    timeout 60 "$kinst" -q -c "$workload $kind 2" -n '
      syscall::getppid:entry /pid == $target/ { ustack(4); }' > out 2> errors
  ) || fail "$kind: status $?, $(tail -3 errors)"
  grep -qE '^ +lib\.so`' out || fail "$kind: no frame of lib.so: $(head -20 out)"
  cd ..
done
for kind in sound fifo fifo_elsewhere no_bytes; do
  grep -qE '^ +lib\.so`through_library\+0x6$' $kind/out ||
    fail "$kind: no name: $(grep lib.so $kind/out | head -1)"
done
# What a terminal would obey is shown.
expect 'a name with control characters' 'lib.so`red\033[31m\233\015\012+0x6' \
  "$(grep -o 'lib\.so`.*' named/out | sort -u)"
