# After kill -9 no probe fires, the settings are as before, and the next run cleans up.
expedited=$(cat /sys/kernel/rcu_expedited)
optimized=$(cat /proc/sys/debug/kprobes-optimization)
kinst -q -n 'BEGIN { printf("ready\n"); } kinst::vfs_read: { @ = count(); }' > /tmp/out 2> /tmp/told &
traced=$!
wait_until_ready
kill -9 $traced
wait $traced 2> /dev/null
# A watcher may need a moment to see it.
for _ in $(seq 50); do
  grep -qv DISABLED /sys/kernel/debug/kprobes/list || break
  sleep 0.1
done
expect 'probes that still fire' '' "$(grep -v DISABLED /sys/kernel/debug/kprobes/list)"
expect 'rcu_expedited' "$expedited" "$(cat /sys/kernel/rcu_expedited)"
expect 'kprobes-optimization' "$optimized" "$(cat /proc/sys/debug/kprobes-optimization)"
kinst -q -n 'kinst::vfs_write: { exit(0); }' -c 'sh -c "echo > /dev/null"' > /dev/null 2> /tmp/told ||
  fail "the next run: $(cat /tmp/told)"
expect 'probe events left' '' "$(grep -i kinst /sys/kernel/tracing/kprobe_events)"
