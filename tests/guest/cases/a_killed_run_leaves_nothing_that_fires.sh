# After kill -9 no probe fires, the settings are as before, and the next run cleans up.
settings() { cat /sys/kernel/rcu_expedited /proc/sys/debug/kprobes-optimization; }
settings > /tmp/settings
# A run that is killed once all is attached and BEGIN has run: before it can see that it
# lasts, and gives back what only short runs need.
killed_run() {  # HOW
  kinst -q -w -n 'BEGIN { system("cat /proc/sys/debug/kprobes-optimization; '"$1"'"); }
    kinst::vfs_read: { @ = count(); }' > /tmp/out 2> /tmp/told
  expect 'status' 137 $?
  expect 'kprobes-optimization meanwhile' 0 "$(cat /tmp/out)"
}
# A watcher may need a moment to see it.
wait_until_nothing_fires() {
  for _ in $(seq 200); do
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

killed_run 'kill -9 $PPID'
wait_until_nothing_fires
for _ in $(seq 200); do
  [ -n "$(ls /run)" ] || break
  sleep 0.1
done
expect 'settings' "$(cat /tmp/settings)" "$(settings)"
next_run_cleans_up

# The watcher, too: then it is the next run that restores.
killed_run 'kill -9 $(pidof kinst kinst-watcher)'
wait_until_nothing_fires
next_run_cleans_up
