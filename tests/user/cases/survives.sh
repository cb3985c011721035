# A traced program is not harmed by kinst's end, however it comes.
for signal in INT TERM KILL; do
  "$workload" tick > ticks &
  program=$!
  "$kinst" -q -p $program -n 'pid$target:a.out:tick: { @[probename] = count(); }' \
    > out 2> errors &
  tracer=$!
  for _ in $(seq 100); do
    sleep 0.1
    # Its code in memory has a breakpoint once it is traced.
    [ -n "$(gdb -p $program -batch -ex 'x/2xb tick' 2> /dev/null | grep -i 0xcc)" ] &&
      break
  done 
  kill -$signal $tracer
  wait $tracer 2> /dev/null || true
  sleep 0.5
  kill -0 $program || fail "the program is dead after SIG$signal to kinst"
  kill -USR1 $program
  wait $program || fail "the program fails after SIG$signal to kinst"
  grep -q 'ticks, in order' ticks || fail "the program said: $(cat ticks)"
done
