# What is tested on the kernel that the tests run on holds on this one, which has kprobes.
live_tests > /tmp/all || fail "$(grep -vE '\[ RUN|       OK|^$' /tmp/all)"
grep -q '\[       OK \] KprobeTest' /tmp/all || fail 'no kprobe was tested'
grep 'SKIPPED\|PASSED' /tmp/all
