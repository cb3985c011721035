# Thousands of functions are listed, attached and left again in seconds; how many
# depends on the machine, so the kernel's own list is the measure.
seconds() { awk '{ print $1 }' /proc/uptime; }
list=/sys/kernel/tracing/available_filter_functions
begin=$(seconds)
cat $list > /dev/null
middle=$(seconds)
kinst -l -P fbt > /tmp/listed || fail 'fbt cannot be listed'
end=$(seconds)
probes=$(($(wc -l < /tmp/listed) - 1))
[ $probes -gt 50000 ] || fail "only $probes probes"
awk -v n=$probes -v begin=$begin -v middle=$middle -v end=$end 'BEGIN {
  own = (end - middle) * 50000 / n
  exit own < 2 || own < 12 * (middle - begin) ? 0 : 1 }' ||
  fail "too slow for $probes probes: $begin, the kernel's list $middle, $end"
kinst -l -P fbt > /tmp/again
cmp /tmp/listed /tmp/again || fail 'numbers of probes change'

kinst -q -x fbt=kprobe.multi -n 'fbt::vfs_read:entry { } BEGIN { exit(0); }' > /tmp/out 2>&1 ||
  skip "$(cat /tmp/out)"
begin=$(seconds)
kinst -n 'fbt::s*: { @ = count(); } tick-1s { exit(0); }' > /tmp/out 2>&1 ||
  fail "$(cat /tmp/out)"
end=$(seconds)
grep -Eq 'matched [0-9]{4,} probes' /tmp/out || fail "few probes: $(cat /tmp/out)"
awk -v begin=$begin -v end=$end 'BEGIN { exit end - begin < 60 ? 0 : 1 }' ||
  fail "took from $begin to $end: $(cat /tmp/out)"
