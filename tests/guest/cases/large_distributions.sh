# Distributions of as many buckets as DTrace can say work on this kernel, with keys and
# without, in a kprobe, a system call and BEGIN, and can be cleared and truncated.
load='dd if=/dev/zero of=/dev/null bs=100 count=50'
kinst -q -w -c "$load" -n '
  BEGIN { @gone[7] = lquantize(3, 0, 65535); @cleared = lquantize(3, 0, 65535); }
  BEGIN { trunc(@gone); clear(@cleared); }
  syscall::read:entry /execname == "dd" && arg2 == 100/ {
    @call = lquantize(arg2, -32768, 32767); @keyed[arg2 + 1] = llquantize(arg2, 10, 0, 10, 1000);
  }
  kinst::vfs_read:entry /execname == "dd" && arg2 == 100/ {
    @probe[execname] = lquantize(-(int64_t)arg2 * 1000, -1000000, 1000000, 100);
  }
  END { printa(@call); printa("%d%@d", @keyed); printa("%s%@d", @probe);
        printa("gone %d%@d", @gone); printa("cleared%@d", @cleared); }' > /tmp/out 2> /tmp/told ||
  fail "$(cat /tmp/told)"
expect 'distributions' '100 50
100 50
-100000 50' "$(awk '$2 ~ /@/ { print $1, $NF }' /tmp/out)"
expect 'keys' '101 dd' "$(grep -E '^(101|dd)' /tmp/out | tr '\n' ' ' | sed 's/ $//')"
grep -q '^gone' /tmp/out && fail "trunc() has left a key: $(cat /tmp/out)"
expect 'cleared' 'cleared
< 0 0
0 0
1 0' "$(sed -n '/^cleared/,$p' /tmp/out | sed 's/|  */ /; s/  */ /g; s/^ //; s/ $//; /value/d; /^$/d')"
