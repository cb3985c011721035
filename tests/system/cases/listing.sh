# Who is not root lists what can be known without reading tracefs, and is told what not.
command -v setpriv > /dev/null || skip 'no setpriv'
chmod 755 .
cp "$kinst" kinst
as_nobody() {
  setpriv --reuid=65534 --regid=65534 --clear-groups ./kinst "$@"
}
as_nobody -V > out 2> told || skip "kinst does not run for others: $(cat told)"
as_nobody -l -n 'syscall::read*:' > out 2> told || fail "$(cat told)"
grep -Eq 'syscall +vmlinux +read entry' out || fail "no read: $(cat out)"
[ -r /sys/kernel/btf/vmlinux ] || exit 0
as_nobody -l -v -n 'fbt::vfs_read:' > out 2> told || fail "$(cat told)"
grep -Eq 'fbt +vmlinux +vfs_read return' out || fail "no vfs_read: $(cat out)"
grep -Fq 'args[0]: struct file * file' out || fail "no arguments: $(cat out)"

# Why tracepoints are not listed, with tracefs mounted and without: in mounts of its own.
without='umount -l /sys/kernel/debug/tracing; umount -l /sys/kernel/tracing; umount -l /sys/kernel/debug'
unshare -m true 2> /dev/null || skip 'no mounts of its own'
as_nobody_where() {  # SETUP ARGUMENTS...
  local setup=$1
  shift
  unshare -m sh -c "{ $setup; } 2> /dev/null"'; "$@"' sh \
    setpriv --reuid=65534 --regid=65534 --clear-groups ./kinst "$@"
}
as_nobody_where "$without; mount -t tracefs tracefs /sys/kernel/tracing" \
  -l -n 'sdt:sched::' > out 2> told && fail "lists tracepoints"
grep -q 'cannot list tracepoints: /sys/kernel/tracing may be read by root only' told ||
  fail "$(cat told)"
as_nobody_where "$without" -l -n 'sdt:sched::' > out 2> told && fail "lists tracepoints"
grep -q 'cannot open tracefs: Operation not permitted; as root: mount -t tracefs' told ||
  fail "$(cat told)"
