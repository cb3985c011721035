# A traced program is not harmed by kinst's end, however it comes, and its code is then
# as it was.
tick=$((16#$(nm "$workload" | awk '$3 == "tick" { print $1 }')))

# The first byte of tick() as it is in the process's memory.
first_byte() {  # PROCESS
  local begin
  begin=$(awk -v file="$workload" '$6 == file { sub(/-.*/, "", $1); print $1; exit }' \
    "/proc/$1/maps")
  dd if="/proc/$1/mem" iflag=skip_bytes,count_bytes skip=$((16#$begin + tick)) count=1 \
    2> /dev/null | od -An -tx1 | tr -d ' '
}

for signal in INT TERM KILL; do
  "$workload" tick > ticks &
  program=$!
  sleep 0.2
  before=$(first_byte $program)
  "$kinst" -q -p $program -n 'pid$target:a.out:tick: { @[probename] = count(); }' \
    > out 2> errors &
  tracer=$!
  for _ in $(seq 100); do
    sleep 0.1
    [ "$(first_byte $program)" = cc ] && break
  done
  expect 'what stands at a traced instruction' cc "$(first_byte $program)"
  kill -$signal $tracer
  wait $tracer 2> /dev/null || true
  for _ in $(seq 50); do
    sleep 0.1
    [ "$(first_byte $program)" = cc ] || break
  done
  expect "the code after SIG$signal to kinst" "$before" "$(first_byte $program)"
  kill -0 $program || fail "the program is dead after SIG$signal to kinst"
  kill -USR1 $program
  wait $program || fail "the program fails after SIG$signal to kinst"
  grep -q 'ticks, in order' ticks || fail "the program said: $(cat ticks)"
done
