# Thousands of functions are listed, attached and left again. What the kernel has then is
# counted, not the time: how a glob is attached decides that.
list=/sys/kernel/tracing/available_filter_functions
kinst -l -P fbt > /tmp/listed || fail 'fbt cannot be listed'
probes=$(($(wc -l < /tmp/listed) - 1))
[ $probes -gt 50000 ] || fail "only $probes probes"
grep -v __ftrace_invalid_address__ $list | awk '{ print $1 }' | sort -u > /tmp/wanted
for name in entry return; do
  awk -v name=$name 'NR > 1 && $NF == name { print $(NF - 1) }' /tmp/listed | sort -u > /tmp/got
  cmp -s /tmp/wanted /tmp/got ||
    fail "names of $name that only one of the kernel and kinst lists: $(diff /tmp/wanted /tmp/got | head -20)"
done
kinst -l -P fbt > /tmp/again
cmp /tmp/listed /tmp/again || fail 'numbers of probes change'

# Runs kinst until its probes are live; leaves how many it matched.
live() {  # OPTIONS...
  : > /tmp/out
  kinst "$@" -n 'BEGIN { printf("ready\n"); }' > /tmp/out 2> /tmp/told &
  pid=$!
  until grep -q ready /tmp/out; do
    kill -0 $pid 2> /dev/null || fail "kinst ended: $(cat /tmp/told)"
    sleep 0.1
  done
  matched=$(sed -n 's/.* matched \([0-9]*\) probes*$/\1/p' /tmp/told | head -1)
}
leave() {
  kill -INT $pid
  wait $pid || fail "kinst failed: $(cat /tmp/told)"
}
# Kprobes in the kernel, all of them, and those that call through the function tracer.
kprobes() { wc -l < /sys/kernel/debug/kprobes/list; }
slow_kprobes() { grep -c 'FTRACE' /sys/kernel/debug/kprobes/list; }
traced() { wc -l < /sys/kernel/tracing/enabled_functions; }
# The kernel may refuse some of what it lists, which is told.
nearly_all() {  # WHAT NUMBER OF-HOW-MANY
  [ $2 -le $3 ] && [ $2 -ge $(($3 * 9 / 10)) ] || fail "$1: $2 of $3; $(tail -3 /tmp/told)"
}

if kinst -q -x fbt=kprobe.multi -n 'fbt::vfs_read:entry { } BEGIN { exit(0); }' > /tmp/out 2>&1; then
  live -n 'fbt::s*: { @ = count(); }'
  [ "$matched" -ge 1000 ] || fail "few probes: $(cat /tmp/told)"
  nearly_all 'functions that the tracer calls for' "$(traced)" $((matched / 2))
  expect 'no kprobes of their own' 0 "$(kprobes)"
  leave
else
  live -x fbt=kprobe -n 'fbt::tcp_[a-m]*:entry { @ = count(); }'
  [ "$matched" -ge 100 ] || fail "few probes: $(cat /tmp/told)"
  nearly_all "probes in the kernel's own way" "$(slow_kprobes)" $matched
  leave
  # Breakpoints, which the kernel puts in less than half the time, wherever one can be.
  live -n 'fbt::tcp_[a-m]*:entry { @ = count(); }'
  nearly_all 'probes' "$(kprobes)" $matched
  [ "$(slow_kprobes)" -lt $((matched / 10)) ] ||
    fail "$(slow_kprobes) of $matched are not breakpoints"
  leave
fi
