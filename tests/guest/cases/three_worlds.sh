# One script joins three worlds: a system call, two kinst instructions, ustack().
kinst -q -s "$cases/../three_worlds.d" -c 'user_workload write' > /tmp/out 2>&1 ||
  fail "$(cat /tmp/out)"
for line in ' bytes to .*: at "ret.*" 7 were written' 'libc.so.6`.*write' \
  'user_workload`say+0x' 'user_workload`report+0x' 'user_workload`main+0x' \
  'ns in vfs_write'; do
  grep -q "$line" /tmp/out || fail "without $line: $(cat /tmp/out)"
done
