# SIGINT while tracing: END runs, aggregations print, everything is detached, status 0.
kinst -q -n 'BEGIN { printf("ready\n"); } kinst::vfs_read: { @ = count(); }
  END { printf("end\n"); }' > /tmp/out 2> /tmp/told &
traced=$!
wait_until_ready
cat /etc/passwd | wc -l > /dev/null
kill -INT $traced
wait $traced
expect 'status' 0 $?
expect 'what END printed' 'end' "$(grep end /tmp/out)"
[ "$(tail -1 /tmp/out | tr -d ' ')" -gt 0 ] || fail "the aggregation did not print"
expect 'probes left' '' "$(cat /sys/kernel/debug/kprobes/list)"
expect 'probe events left' '' "$(grep -i kinst /sys/kernel/tracing/kprobe_events)"
