# An offset that cannot be traced is refused with status 1 and a reason; nothing is left.
refused() {  # DESCRIPTION PATTERN...
  description=$1
  shift
  kinst -n "$description" > /tmp/out 2> /tmp/told
  status=$?
  for pattern in "$@"; do
    grep -Eq "$pattern" /tmp/told || fail "$description: nothing like '$pattern' in: $(cat /tmp/told)"
  done
  expect "status of $description" 1 $status
}
second=$(kinst -l -n 'kinst::vfs_read:' | awk '$2 == "kinst" && ++count == 2 { print $NF }')
refused "kinst::vfs_read:$((second + 1))" inside
refused 'kinst::vfs_read:1000000' 'has [0-9]+ bytes' 'last instruction is at'
refused "kinst::vfs_read:$second,$((second + 1))" "another instruction .*: kinst::vfs_read:$((second + 1))"
refused 'kinst::vfs_read:=load' "without '=', load is a class"
refused 'fbt::vfs_re*:entry { trace(args[0]); }' "do not agree on args\[0\]: it is 'struct "
refused 'fbt::do_syscall_64:entry' 'cannot trace fbt:vmlinux:do_syscall_64: .*(blacklist|function tracer)'
refused 'fbt::fixture_untraceable:return' 'cannot trace fbt:kinst_fixture:fixture_untraceable: .*function tracer'
refused 'fbt::fixture_suffixed:entry' 'the compiler made .fixture_suffixed\.'
# Linux 7.2 lists its variables as code.
refused 'fbt::init_task:entry' 'is a variable, not a function'
refused 'fbt::vfs_read:enrty' "probes are named entry and return"
refused 'kinst::fixture_blacklisted:0' blacklist
refused 'kinst::fixture_untraceable:0' 'trac'
refused 'kinst::vfs_raed:0' vfs_read
refused 'kinst:kinst_fixture:vfs_read:0' "there is no function 'vfs_read' in 'kinst_fixture'; it is in 'vmlinux'"
refused 'kinst::vfs_read' "did you mean 'kinst::vfs_read:'"
refused 'kinst::no_such_inlined:entry' 'only debug information tells where'
blacklisted=$(awk '{ print $2; exit }' /sys/kernel/debug/kprobes/blacklist)
refused "kinst::$blacklisted:0" 'blacklist'
last=$(kinst --disas kinst_fixture:fixture_leaf 2> /dev/null | sed -n 's/.*: \([0-9]*\) bytes.*/\1/p' | head -1)
refused "kinst:kinst_fixture:fixture_leaf:$((last + 8))" "has $last bytes"
refused 'kinst:no_such_module:vfs_read:0' no_such_module
refused 'kinst::fixture_suffixed:0' 'fixture_suffixed\.'
refused 'kinst::s*:' 'means more than 10000 instructions, in [0-9]+ functions: .* -x maxprobes=N'
expect 'probes left' '' "$(cat /sys/kernel/debug/kprobes/list)"
