# What kinst keeps of processes that it was never asked to trace does not grow with their
# number by more than some kilobytes each: they share their files.
memory() {  # PID    what it has in memory and shares with nobody, kB
  awk '/^RssAnon/ { print $2 }' "/proc/$1/status"
}
# Thirty at a time, each with a library of its own, and alive long enough to be looked at.
batch() {
  local number
  for number in $(seq 30); do
    mkdir -p $number
    (cd $number && exec "$workload" sound 2) &
    pids+=($!)
  done
  wait "${pids[@]}"
  pids=()
}
pids=()
"$kinst" -q -o out -n 'syscall::getppid:entry /execname == "hostile_program"/ { ustack(); }
  tick-1s { printf("second\n"); }' 2> errors &
tracer=$!
for _ in $(seq 100); do
  grep -qs second out && break
  sleep 0.2
done
batch
sleep 2
before=$(memory $tracer)
for _ in $(seq 10); do
  batch
done
sleep 2
after=$(memory $tracer)
kill -INT $tracer
wait $tracer || fail "status $?, $(cat errors)"
named=$(grep -c 'lib\.so`through_library' out)
[ "$named" -ge 330 ] || fail "only $named stacks were named"
[ $((after - before)) -lt 8000 ] ||
  fail "300 processes took $((after - before)) kB, from $before to $after"
echo "300 processes took $((after - before)) kB, from $before to $after"
