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

took() {  # OPTIONS...    leaves what it said in /tmp/out
  begin=$(seconds)
  kinst "$@" -n 'BEGIN { exit(0); }' > /tmp/out 2>&1 || fail "$(cat /tmp/out)"
  awk -v begin=$begin -v end=$(seconds) 'BEGIN { print end - begin }'
}

if kinst -q -x fbt=kprobe.multi -n 'fbt::vfs_read:entry { } BEGIN { exit(0); }' > /tmp/out 2>&1; then
  taken=$(took -n 'fbt::s*: { @ = count(); }')
  grep -Eq 'matched [0-9]{4,} probes' /tmp/out || fail "few probes: $(cat /tmp/out)"
  awk -v taken=$taken 'BEGIN { exit taken < 60 ? 0 : 1 }' || fail "took $taken s"
else
  # Breakpoints, which take less than half as long as the kernel's own way.
  own=$(took -x fbt=kprobe -n 'fbt::tcp_[a-m]*:entry { @ = count(); }')
  grep -Eq 'matched [0-9]{3,} probes' /tmp/out || fail "few probes: $(cat /tmp/out)"
  taken=$(took -n 'fbt::tcp_[a-m]*:entry { @ = count(); }')
  awk -v taken=$taken -v own=$own 'BEGIN { exit taken < own ? 0 : 1 }' ||
    fail "took $taken s by breakpoints, $own s by kprobes of functions"
fi
