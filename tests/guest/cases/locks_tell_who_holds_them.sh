# What the subroutines about locks say when a lock has just been taken, and of a mutex
# just before, is what the kernel's functions that take them promise.
kinst -q -n '
fbt::mutex_lock:entry { self->mutex = (struct mutex *)arg0; @["mutex before", mutex_owned(self->mutex)] = count(); }
fbt::mutex_lock:return /self->mutex/ {
  @["mutex owned", mutex_owned(self->mutex)] = count();
  @["mutex owner", mutex_owner(self->mutex) == curthread] = count();
  @["mutex spins", mutex_type_spin(self->mutex) + mutex_type_adaptive(self->mutex)] = count();
  self->mutex = 0;
}
fbt::_raw_write_lock_irq:entry { self->written = (rwlock_t *)arg0; }
fbt::_raw_write_lock_irq:return /self->written/ {
  @["write iswriter", rw_iswriter(self->written)] = count();
  @["write held", rw_write_held(self->written)] = count();
  @["write, read held", rw_read_held(self->written)] = count();
  self->written = 0;
}
fbt::_raw_read_lock:entry { self->read = (rwlock_t *)arg0; }
fbt::_raw_read_lock:return /self->read/ {
  @["read held", rw_read_held(self->read)] = count();
  @["read, write held", rw_write_held(self->read)] = count();
  self->read = 0;
}
END { printa("%s %d\n", @); }' -o /tmp/out \
  -c "sh -c 'for i in 1 2 3 4 5; do cat /proc/self/stat | cat; kill -0 \$\$; done'" > /dev/null 2> /tmp/told ||
  fail "$(cat /tmp/told)"
expect 'what the locks tell' 'mutex before 0
mutex owned 1
mutex owner 1
mutex spins 1
read held 1
read, write held 0
write held 1
write iswriter 1
write, read held 0' "$(grep . /tmp/out | LC_ALL=C sort)"
expect errors '' "$(grep -v 'hits of probes were missed' /tmp/told)"
