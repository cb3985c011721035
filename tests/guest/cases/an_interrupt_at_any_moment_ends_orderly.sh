# A signal while the program is compiled, while hundreds of probes are attached, while
# they trace, or while they are detached: END runs, aggregations print, everything is
# detached, the kernel's settings are as before, status 0.
settings() { cat /sys/kernel/rcu_expedited /proc/sys/debug/kprobes-optimization; }
settings > /tmp/settings
program='BEGIN { printf("ready\n"); } kinst:kinst_fixture:fixture_short_conditions: { @ = count(); }
  END { printf("end\n"); @ = count(); }'

# Waits until so many probes are there; 0: until signals are waited for.
run_until_attached() {  # PROBES
  kinst -q -n "$program" > /tmp/out 2> /tmp/told &
  traced=$!
  waited=0
  while :; do
    # The lowest digit of the mask has SIGINT.
    if [ $1 = 0 ]; then
      grep -q kinst /proc/$traced/comm &&
        grep -q 'SigBlk:.*[2367abef]$' /proc/$traced/status && break
    else
      [ "$(grep -c . /sys/kernel/tracing/kprobe_events)" -lt $1 ] || break
    fi
    waited=$((waited + 1))
    [ $waited -lt 3000 ] || fail "$1 probes were not attached: $(cat /tmp/told)"
    sleep 0.02
  done
}

# A shell tells how a process ended once.
wait_for_end() {
  wait $traced
  status=$?
}

ended_orderly() {  # WHEN HITS, after wait_for_end
  expect "status, $1" 0 $status
  left_nothing "$1"
  expect "END's output and the aggregation, $1" "end$2" "$(grep -v ready /tmp/out | tr -d ' \n')"
}

left_nothing() {  # WHEN
  expect "errors, $1" '' "$(cat /tmp/told)"
  expect "probes left, $1" '' "$(cat /sys/kernel/debug/kprobes/list)"
  expect "events left, $1" '' "$(cat /sys/kernel/tracing/kprobe_events)"
  expect "groups left, $1" '' "$(ls /sys/kernel/tracing/events | grep kinst)"
  expect "settings, $1" "$(cat /tmp/settings)" "$(settings)"
}

for signal in INT TERM HUP; do
  run_until_attached 0
  kill -$signal $traced
  wait_for_end
  ended_orderly "SIG$signal while compiling" 1
done
for probes in 1 50 300; do
  run_until_attached $probes
  kill -INT $traced
  wait_for_end
  ended_orderly "SIGINT with $probes probes or more" 1
done
run_until_attached 100
kill -HUP $traced
kill -TERM $traced
wait_for_end
ended_orderly 'SIGHUP and SIGTERM with 100 probes or more' 1

# The second and the third come while it ends.
run_until_attached 0
wait_until_ready
run_fixture fixture_short_conditions 2
kill -INT $traced
kill -INT $traced
until grep -q end /tmp/out; do sleep 0.01; done
kill -TERM $traced 2> /dev/null
wait_for_end
fired=$(grep -v ready /tmp/out | tr -d ' \nend')
[ "${fired:-0}" -gt 300 ] || fail "only $fired hits of two runs"
ended_orderly 'SIGINT twice and SIGTERM while tracing' "$fired"

# The code of all functions is read for minutes here: these two end within seconds of
# the signal, however much is left. Nothing is traced yet: a machine that is too slow to
# look at signals for 1.5 s at a stretch ends the command by the signal instead (130).
for program in 'kinst::*:' 'fbt:::'; do
  run='BEGIN { printf("ready\n"); } END { printf("end\n"); @ = count(); }'
  kinst -q -x maxprobes=0 -x fbt=breakpoint -n "$program { @ = count(); } $run" > /tmp/out 2> /tmp/told &
  traced=$!
  # Symbols and places that the kernel patches are read first, in a second of its time.
  waited=0
  until [ "$(awk '{ print $14 + $15 }' /proc/$traced/stat)" -gt 500 ]; do
    waited=$((waited + 1))
    [ $waited -lt 600 ] && kill -0 $traced || fail "$program: reads no code: $(cat /tmp/told)"
    sleep 0.1
  done
  kill -INT $traced
  signalled=$(cut -d' ' -f1 /proc/uptime)
  wait_for_end
  [ $status = 130 ] || ended_orderly "SIGINT while reading the code of $program" 1
  left_nothing "SIGINT while reading the code of $program, $status"
  awk "{ exit \$1 - $signalled > 10 }" /proc/uptime || fail "$program: ended more than 10 s after SIGINT"
done
