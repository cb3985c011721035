# A function whose entry goes to another program's tracer is described, and can be traced,
# as when nobody else looks at it: whether the kernel calls that program or, as newer ones,
# jumps to it.
kinst --disas vfs_read > /tmp/alone || fail "$(cat /tmp/alone)"
for probe in fbt::vfs_read:return fbt::vfs_read:entry kinst::vfs_read:entry; do
  : > /tmp/out
  kinst -q -n "$probe"' { @[probename] = count(); } BEGIN { printf("ready\n"); }' \
    > /tmp/out 2> /tmp/told &
  other=$!
  wait_until_ready
  kinst --disas vfs_read > /tmp/beside 2>&1
  cmp -s /tmp/alone /tmp/beside || fail "beside $probe: $(diff /tmp/alone /tmp/beside | head -20)"
  kinst -q -n 'kinst::vfs_read:return /pid == $target/ { @ = count(); } END { printa("%@d\n", @); }' \
    -c 'dd if=/dev/zero of=/dev/null bs=1 count=50' > /tmp/got 2>&1
  count=$(sed -n '/^[0-9][0-9]*$/p' /tmp/got)
  [ "${count:-0}" -ge 50 ] || fail "beside $probe: $(cat /tmp/got)"
  kill -INT $other
  wait $other || fail "the other: $(cat /tmp/told)"
done
