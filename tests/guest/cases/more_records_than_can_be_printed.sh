# Under whatever rate of records, output flows, and a signal ends the run with END.
dd if=/dev/zero of=/dev/null bs=1 count=1000000000 2> /dev/null &
load=$!
for signal in INT TERM; do
  kinst -q -n 'BEGIN { printf("ready\n"); } kinst::vfs_read:entry { @ = count(); printf("R %d\n", tid); }
    END { printa("all %@d\n", @); }' > /tmp/out 2> /tmp/told &
  traced=$!
  wait_until_ready
  for _ in $(seq 100); do
    [ "$(wc -c < /tmp/out)" -lt 10000 ] || break
    sleep 0.1
  done
  [ "$(wc -c < /tmp/out)" -ge 10000 ] || fail "no output flows: $(cat /tmp/told)"
  kill -$signal $traced
  for _ in $(seq 300); do
    kill -0 $traced 2> /dev/null || break
    sleep 0.1
  done
  kill -9 $traced 2> /dev/null && fail "still runs long after SIG$signal"
  wait $traced
  expect "status after SIG$signal" 0 $?
  printed=$(grep -c '^R ' /tmp/out)
  lost=$(awk '/drops? on CPU/ { sum += $2 } /are given up/ { sum += $2 } END { print sum + 0 }' /tmp/told)
  expect 'records and losses' "$(awk '$1 == "all" { print $2 }' /tmp/out)" $((printed + lost))
done
kill $load
