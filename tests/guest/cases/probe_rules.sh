# What is predicted of each instruction, that the kernel accepts a probe there or refuses
# it, is what the kernel does: of the fixture's functions, of ones that many traces will
# want, and of some that must be refused.
saved=$(cat /sys/kernel/rcu_expedited)
echo 1 > /sys/kernel/rcu_expedited
status=0
probe_rules_check 1 $(cut -d' ' -f1 $fixture/results) \
  vfs_read do_sys_openat2 kfree ip_rcv schedule do_filp_open dput \
  exc_page_fault asm_exc_page_fault memcpy rest_init || status=$?
echo "$saved" > /sys/kernel/rcu_expedited
[ $status = 0 ] || exit 1
