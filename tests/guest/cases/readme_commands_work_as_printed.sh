# Each command that the README shows runs as it is printed there, and prints something;
# those without an end of their own end with an interrupt.
readme=$cases/../../../README.md
sed -n 's/^    \(kinst .*\)/\1/p' "$readme" > /tmp/commands
[ "$(grep -c . /tmp/commands)" -ge 6 ] || fail "only these: $(cat /tmp/commands)"
(while :; do cat /etc/passwd /proc/uptime; sleep 0.2; done) > /dev/null &
work=$!
while read -r command; do
  # A background command of a shell ignores interrupts unless its own shell says else.
  sh -c "exec $command" > /tmp/out 2> /tmp/told < /dev/null &
  traced=$!
  still=0
  placed=
  while kill -0 $traced 2> /dev/null; do
    # What prints as it goes has printed; what prints at the end gets its time once all
    # is loaded and no more probes come.
    if [ "$(grep -c . /tmp/out)" -gt 3 ] || [ $still = 30 ]; then
      kill -INT $traced 2> /dev/null
    fi
    now=$(grep -c . /sys/kernel/tracing/kprobe_events)
    if [ "$now" = "$placed" ] && grep -q matched /tmp/told; then
      still=$((still + 1))
    else
      still=0
    fi
    placed=$now
    sleep 0.1
  done
  wait $traced
  status=$?
  [ $status = 0 ] || { kill $work; fail "status $status of: $command
$(cat /tmp/told)"; }
  [ "$(grep -v 'FUNCTION:NAME' /tmp/out | grep -c .)" -gt 0 ] || { kill $work; fail "printed nothing: $command
$(cat /tmp/out /tmp/told)"; }
done < /tmp/commands
kill $work
