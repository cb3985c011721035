# A call by the gate of 32-bit programs fires no probe: its number means another call
# there.
user_workload narrow || skip 'this kernel has no calls of 32-bit programs'
kinst -q -c 'user_workload narrow' -n '
  syscall::writev:,syscall::getpid:,syscall::getppid: /pid == $target/ { @[probefunc, probename] = count(); }
  END { printa("%s %s %@d\n", @); }' > /tmp/out 2> /tmp/told || fail "$(cat /tmp/told)"
expect 'calls' 'getpid entry 1
getpid return 1
getppid entry 7
getppid return 7' "$(grep . /tmp/out | sort)"
