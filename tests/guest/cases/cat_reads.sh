# `cat`, by which examples make a load, reads with read() in the guest as elsewhere:
# busybox's own has the kernel copy. The process is known by that name.
reads_of() {  # FILE...    how many, those of the loader included
  kinst -q -n 'kinst::vfs_read:entry /pid == $target && execname == "cat"/ { @ = count(); }
      END { printa("%@d\n", @); }' -c "cat $*" > /tmp/got 2> /tmp/told ||
    fail "kinst failed: $(cat /tmp/told)"
  sed -n '/^[0-9][0-9]*$/p' /tmp/got | tail -1
}
one=$(reads_of /proc/uptime)
three=$(reads_of /proc/uptime /proc/uptime /proc/uptime)
expect 'two reads for each file, of its data and of its end' 4 $((three - one))
