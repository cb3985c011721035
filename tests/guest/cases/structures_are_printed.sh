# print() of what an argument of fbt points at shows the members as the caller set them:
# those of openat2(2)'s struct, which open(2) fills from its own arguments.
kinst -q -c 'dd if=/dev/zero of=/tmp/copy bs=8 count=1' -n '
  fbt::do_sys_openat2:entry /execname == "dd"/ { self->how = 1; print(args[2]); print(*args[2]); }
  syscall::openat:entry /execname == "dd"/ { printf("\nasked %d %d\n", arg2, arg3); }
  syscall::open:entry /execname == "dd"/ { printf("\nasked %d %d\n", arg1, arg2); }' \
  > /tmp/out 2> /tmp/told || fail "$(cat /tmp/told)"
# O_LARGEFILE comes with every open of a 64-bit program; a mode only where one is created.
awk '$1 == "asked" { flags = $2; mode = $3; if (int(flags / 64) % 2 == 0) mode = 0
    if (int(flags / 32768) % 2 == 0) flags += 32768
    for (time = 0; time < 2; time++) print flags, mode }' /tmp/out > /tmp/asked
awk '/\(struct open_how\)/ { flags = mode = 0 }
  /\.flags = / { sub(/.*\)/, ""); sub(/,/, ""); flags = $0 }
  /\.mode = / { sub(/.*\)/, ""); sub(/,/, ""); mode = $0 }
  /^ *}/ { print flags, mode }' /tmp/out > /tmp/printed
[ "$(wc -l < /tmp/asked)" -ge 4 ] || fail "dd opens two files at least: $(cat /tmp/out)"
expect 'flags and modes' "$(cat /tmp/asked)" "$(cat /tmp/printed)"
grep -q '^33345 438$' /tmp/printed || fail "no O_WRONLY|O_CREAT|O_TRUNC, 0666: $(cat /tmp/out)"
# A pointer is shown with its address, which is the argument's.
kinst -q -c 'dd if=/dev/zero of=/dev/null count=1' -n '
  fbt::do_sys_openat2:entry /execname == "dd" && !done/ { done = 1; print(args[2]); printf("at %#x\n", arg2); }' \
  > /tmp/out 2> /tmp/told || fail "$(cat /tmp/told)"
expect 'the address' "$(sed -n 's/.*at \(0x[0-9a-f]*\)$/\1/p' /tmp/out)" \
  "$(sed -n 's/^ *\(0x[0-9a-f]*\) = \*.*/\1/p' /tmp/out)"
