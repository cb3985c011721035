# The kernel's stack at an entry begins with the function, goes on with its caller, and
# is the same whichever way the kernel traces functions; caller and stackdepth agree.
ways=
for way in fastest kprobe.multi breakpoint kprobe; do
  kinst -q -x fbt=$way -c 'dd if=/proc/version of=/dev/null' -n '
    fbt::vfs_read:entry /execname == "dd" && !done/ {
      done = 1; stack(3); printf("%d deep\n", stackdepth > 3); sym(caller); exit(0);
    }' > /tmp/out 2> /tmp/told || {
    grep -q 'this kernel has no' /tmp/told && continue
    fail "$way: $(cat /tmp/told)"
  }
  ways="$ways $way"
  sed 's/+0x[0-9a-f]*//; s/^ *//; s/ *$//; /^$/d' /tmp/out > /tmp/frames
  # What is said of the caller is the stack'"'"'s second frame.
  expect "$way" "vmlinux\`vfs_read
$(sed -n 2p /tmp/frames)
$(sed -n 3p /tmp/frames)
1 deep
$(sed -n 2p /tmp/frames)" "$(cat /tmp/frames)"
  grep -q 'vmlinux`ksys_read' /tmp/frames || fail "$way: no ksys_read: $(cat /tmp/out)"
done
echo "$ways" | grep -q 'fastest.*breakpoint.*kprobe' || fail "no way but$ways"
kinst -x fbt=fentry -n 'fbt::vfs_read:entry { stack(); }' > /tmp/out 2>&1 && fail 'fentry has a stack'
grep -q 'fentry has no registers and no stack of the function' /tmp/out || fail "$(cat /tmp/out)"
