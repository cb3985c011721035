# Every traceable instruction of core kernel functions fires exactly as often as the
# kernel's own histogram of a probe event of its own at the same places says, under file,
# process and network work whose results stay the same.
functions='vfs_read vfs_write vfs_open do_sys_openat2 do_filp_open vfs_statx vfs_fstat
  filp_close fput ksys_read ksys_write handle_mm_fault unmap_region wake_up_new_task
  kmem_cache_alloc kmem_cache_alloc_noprof kmem_cache_free schedule schedule_timeout
  pipe_read sock_sendmsg inet_stream_connect tcp_sendmsg tcp_recvmsg tcp_v4_do_rcv
  tcp_close'
# Those of which there is one, with their addresses.
awk -v functions="$functions" '
  BEGIN { split(functions, list); for (i in list) wanted[list[i]] = 1 }
  $3 in wanted && $2 ~ /[tT]/ && NF == 3 { begin[$3] = $1; ++count[$3] }
  END { for (name in begin) if (count[name] == 1) print name, begin[name] }
' /proc/kallsyms > /tmp/functions
[ "$(grep -c . /tmp/functions)" -ge 20 ] || fail "only these are here: $(cat /tmp/functions)"

# Everything of the work runs under one command name, by which both counts filter.
ifconfig lo 127.0.0.1 up
cp /bin/busybox /tmp/busybox-work
cat > /tmp/work <<'WORK'
B=/tmp/busybox-work
$B dd if=/bin/busybox bs=4096 count=20 2> /dev/null | $B md5sum
$B touch /tmp/file; $B cp /tmp/file /tmp/copy; $B rm /tmp/copy
$B nc -l -p 4000 > /tmp/received &
until echo over loopback | $B nc 127.0.0.1 4000 2> /dev/null; do $B sleep 0.2; done
wait
$B cat /tmp/received
WORK
/tmp/busybox-work sh /tmp/work > /tmp/untraced
grep -q loopback /tmp/untraced || fail "the work does not work: $(cat /tmp/untraced)"

program=$(while read -r function begin; do
  echo "kinst:vmlinux:$function: /execname == \"busybox-work\"/ { @[probefunc, probename] = count(); }"
done < /tmp/functions)
kinst -l -n "$program" > /tmp/listed || fail 'kinst -l'
awk '$2 == "kinst" { print $(NF - 1), $NF }' /tmp/listed > /tmp/places
[ "$(grep -c . /tmp/places)" -gt 1000 ] || fail "only $(grep -c . /tmp/places) instructions"

# Addresses are as good as names, and the kernel need not look them up. Under one name
# it wants them to differ in an argument. A line must not be split between two writes.
trace=/sys/kernel/tracing
while read -r function begin; do eval "begin_$function=0x$begin"; done < /tmp/functions
count=0
while read -r function offset; do
  eval "begin=\$begin_$function"
  count=$((count + 1))
  printf 'p:truth/truth 0x%x i=\\%d:u32\n' $((begin + offset)) $count ||
    fail "the kernel refused $function+$offset"
done < /tmp/places >> $trace/kprobe_events
histogram='hist:keys=__probe_ip.sym-offset:size=16384 if comm == "busybox-work"'
echo 1 > /sys/kernel/rcu_expedited
echo "$histogram" > $trace/events/truth/truth/trigger || fail 'no histogram trigger'

kinst -q -n "$program" -c 'sh -c "/tmp/busybox-work sh /tmp/work > /tmp/traced"' > /tmp/out 2> /tmp/told || fail "kinst: $(cat /tmp/told)"
cp $trace/events/truth/truth/hist /tmp/histogram
echo "!$histogram" > $trace/events/truth/truth/trigger
echo '-:truth/truth' >> $trace/kprobe_events
echo 0 > /sys/kernel/rcu_expedited

expect 'results of the work under tracing' "$(cat /tmp/untraced)" "$(cat /tmp/traced)"
# A hit within another is missed by both, and told.
expect 'what kinst says' '' "$(grep -v 'hits of probes were missed' /tmp/told)"
# { __probe_ip: [ffffffffa32bd109] vfs_read+0x9         } hitcount:         12
sed -n 's/.*\] \([^ ]*+0x[0-9a-f]*\)[/ ].*hitcount: *\([0-9]*\).*/\1 \2/p' /tmp/histogram |
  sort > /tmp/truth
awk 'NF == 3 { printf "%s+0x%x %d\n", $1, $2, $3 }' /tmp/out | sort > /tmp/fired
[ "$(grep -c . /tmp/truth)" -gt 500 ] || fail "only $(grep -c . /tmp/truth) instructions ran"
# A histogram drops what it cannot enter while an entry of the same place is being made,
# and says how often. So it may have counted that much less.
dropped=$(sed -n 's/^ *Dropped: *//p' /tmp/histogram)
expect 'differences to what the kernel counted' '' "$(
  awk -v dropped="${dropped:-0}" '
    FNR == NR { counted[$1] = $2; places[$1]; next }
    { fired[$1] = $2; places[$1] }
    END {
      for (place in places) {
        more = fired[place] - counted[place]
        if (more == 0) continue
        text = text place " " counted[place] + 0 " " fired[place] + 0 "\n"
        if (more < 0) dropped = -1
        else all += more
      }
      if (text != "" && all > dropped)
        printf "%s(place, kernel, kinst; the kernel dropped %d)\n", text, dropped
    }' /tmp/truth /tmp/fired)"
