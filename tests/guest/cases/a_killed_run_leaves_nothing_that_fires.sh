# After kill -9 no probe fires, the settings are as before, and the next run cleans up.
settings() { cat /sys/kernel/rcu_expedited /proc/sys/debug/kprobes-optimization; }
settings > /tmp/settings
start_tracing() {
  kinst -q -n 'BEGIN { printf("ready\n"); } kinst::vfs_read: { @ = count(); }' \
    > /tmp/out 2> /tmp/told &
  traced=$!
  wait_until_ready
  # A run that may be short leaves probes unoptimized.
  expect 'kprobes-optimization meanwhile' 0 "$(cat /proc/sys/debug/kprobes-optimization)"
}
# A watcher may need a moment to see it.
wait_until_nothing_fires() {
  for _ in $(seq 50); do
    grep -qv DISABLED /sys/kernel/debug/kprobes/list || break
    sleep 0.1
  done
  expect 'probes that still fire' '' "$(grep -v DISABLED /sys/kernel/debug/kprobes/list)"
}
next_run_cleans_up() {
  kinst -q -n 'kinst::vfs_write: { exit(0); }' -c 'sh -c "echo > /dev/null"' > /dev/null 2> /tmp/told ||
    fail "the next run: $(cat /tmp/told)"
  expect 'probe events left' '' "$(grep -i kinst /sys/kernel/tracing/kprobe_events)"
  expect 'settings after the next run' "$(cat /tmp/settings)" "$(settings)"
  expect 'notes of borrowed settings' '' "$(ls /run)"
}

start_tracing
kill -9 $traced
wait $traced 2> /dev/null
wait_until_nothing_fires
for _ in $(seq 50); do
  [ -n "$(ls /run)" ] || break
  sleep 0.1
done
expect 'settings' "$(cat /tmp/settings)" "$(settings)"
next_run_cleans_up

# The watcher, too: then it is the next run that restores.
start_tracing
kill -9 $(grep -l '^kinst' /proc/[0-9]*/comm | cut -d/ -f3)
wait $traced 2> /dev/null
wait_until_nothing_fires
next_run_cleans_up
