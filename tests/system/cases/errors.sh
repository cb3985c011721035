# System calls fail as often, and with the error, that the program itself saw; names and
# values of what they were given are there, typed.
"$kinst" -q -c "$workload calls" -n '
  syscall::openat:entry,syscall::access:entry /pid == $target/ {
    self->path = copyinstr(probefunc == "openat" ? arg1 : arg0);
  }
  syscall::openat:return,syscall::access:return
    /pid == $target && (self->path == "/nonexistent/kinst-test" || self->path == "/dev/null/x")/ {
    @[probefunc, errno] = count(); @same = sum(arg0 == -errno && arg1 == -errno);
  }
  syscall::openat:return,syscall::access:return { self->path = 0; }
  syscall::read:entry /pid == $target && args[0] == (unsigned int)-1 && args[2] == 1/ { self->bad = 1; }
  syscall::read:return /self->bad/ { @[probefunc, errno] = count(); self->bad = 0; }
  END { printa("told %s %d %@d\n", @); printa("failed %@d\n", @same); }' > out 2> told ||
  fail "$(cat told)"
expect 'errors by call' "$(grep -E '^(openat|read|access) ' out | sort)" "$(sed -n 's/^told //p' out | sort)"
expect 'calls that returned -errno' 10 "$(sed -n 's/^failed //p' out)"
