# Registers, flags, memory and the stack behind each instruction of the fixture's effects
# are the same when all of them are probed, and when each is probed alone.
functions='fixture_effects_arithmetic fixture_effects_shifts fixture_effects_conditions
  fixture_effects_moves fixture_effects_strings fixture_effects_stack
  fixture_effects_calls'
times=16
for function in $functions; do echo "echo $function $times > $fixture/run"; done > /tmp/work
forget_runs
sh /tmp/work
untraced=$(cat $fixture/results)

# It would be seen: other inputs have other effects.
forget_runs
for function in $functions; do run_fixture $function $((times - 1)); done
for function in $functions; do
  grep -q "$(echo "$untraced" | grep "^$function " | cut -d' ' -f3)" $fixture/results &&
    fail "the result of $function does not depend on what it computes"
done

forget_runs
kinst -q -x maxprobes=0 \
  -n 'kinst:kinst_fixture:fixture_effects_*: { @[probefunc] = count(); }' \
  -c 'sh /tmp/work' > /tmp/fired 2> /tmp/told || fail "kinst: $(cat /tmp/told)"
expect 'results under tracing' "$untraced" "$(cat $fixture/results)"
# Most of it was probed.
awk -v least=$((times * 500)) '
  NF == 2 { functions++; hits += $2 }
  END { print functions + 0, (hits >= least ? "many" : hits + 0) }' /tmp/fired > /tmp/counted
expect 'functions that fired, and hits' '8 many' "$(cat /tmp/counted)"

# Alone: neighbours that are probed, too, could hide what one does. Each 97th place, as a
# run takes its time.
places=$(kinst -l -n 'kinst:kinst_fixture:fixture_effects_*:' |
  awk '$3 == "kinst_fixture" && NR % 97 == 0 { print $4 ":" $5 }')
[ "$(echo "$places" | wc -l)" -ge 10 ] || fail "only these places: $places"
for place in $places; do
  forget_runs
  kinst -q -n "kinst:kinst_fixture:$place { @ = count(); }" -c 'sh /tmp/work' \
    > /tmp/fired 2> /tmp/told || fail "kinst at $place: $(cat /tmp/told)"
  expect "results with a probe at $place" "$untraced" "$(cat $fixture/results)"
done
