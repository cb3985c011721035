# With however few descriptors, what is borrowed of the machine comes back.
settings() { cat /sys/kernel/rcu_expedited /proc/sys/debug/kprobes-optimization; }
settings > /tmp/settings
ran=0
for most in 12 16 18 20 21 22 23 24 25 26 27 28 30 34 40; do
  (ulimit -n $most; kinst -q -n 'kinst::vfs_read: { @ = count(); } BEGIN { exit(0); }') > /tmp/out 2> /tmp/told
  [ $? != 0 ] || ran=$((ran + 1))
  expect "settings after a run with $most descriptors" "$(cat /tmp/settings)" "$(settings)"
  expect "notes after a run with $most descriptors" '' "$(ls /run)"
done
[ $ran -gt 0 ] || fail "no run had enough descriptors: $(cat /tmp/told)"
[ $ran -lt 15 ] || fail 'every run had enough descriptors: nothing was shown'
