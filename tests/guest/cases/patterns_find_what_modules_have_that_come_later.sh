# Patterns and selectors mean what a module has when it is loaded while the run goes on,
# each time anew; a name that it does not have is told.
m=kinst_fixture
trap 'grep -q "^kinst_fixture " /proc/modules || insmod "$module"' EXIT

cat > /tmp/work << END
echo fixture_selected 3 > $fixture/run
echo fixture_recursive 20 > $fixture/run
echo fixture_calls_tail 20 > $fixture/run
END
clauses="
  kinst:$m:fixture_selected: { @[loads, probefunc, probename, mnemonic] = sum(1); }
  kinst:kinst_fix*:fixture_tail_target:return {
    @[loads, probefunc, insn, \"result\"] = sum(regs[R_RAX]);
  }
  kinst:$m:fixture_tail_t*:entry { @[loads, probefunc, \"first\", \"\"] = sum(arg0); }
  fbt:$m:fixture_recurs*: { @[loads, probefunc, probename, probemod] = sum(1); }
  fbt:$m:fixture_recurs*:entry { @[loads, probefunc, \"arg0\", \"\"] = sum(arg0); }
  fbt:$m:fixture_recurs*:return { @[loads, probefunc, \"arg1\", \"\"] = sum(arg1); }
  fbt:$m:fixture_recurs*:entry { @names[loads, sym(regs[R_RIP])] = sum(1); }
  END { printf(\"\\n\"); printa(\"%d %s %s %s %@d\n\", @);
    printa(\"%d at %a %@d\n\", @names); }"

kinst -q -n "int loads; $clauses" -c 'sh /tmp/work' > /tmp/out 2> /tmp/told ||
  fail "while it is there: $(cat /tmp/told)"
sed -n 's/^0 //p' /tmp/out | sort > /tmp/wanted
[ "$(grep -c . /tmp/wanted)" -gt 20 ] || fail "not all fired: $(cat /tmp/wanted)"

rmmod $m
kinst -Z -v -n "int loads; BEGIN { printf(\"ready\n\"); }
  fbt:$m:init_module:entry { loads++; } fbt:$m:fixture_recursife:entry { }
  $clauses" > /tmp/out 2> /tmp/told &
traced=$!
wait_until_ready
for load in 1 2 3; do
  insmod "$module" || fail "load $load"
  waited=0
  until [ "$(grep -c "the module $m has come: " /tmp/told)" = $load ]; do
    waited=$((waited + 1))
    [ $waited -lt 300 ] || fail "it is not told that load $load has come: $(cat /tmp/told)"
    sleep 0.1
  done
  sh /tmp/work || fail "work $load"
  rmmod $m || fail "unload $load"
done
kill -INT $traced
wait $traced
expect 'status' 0 $?
for load in 1 2 3; do
  expect "load $load" "$(cat /tmp/wanted)" "$(sed -n "s/^$load //p" /tmp/out | sort)"
done
grep -q "has come, but not fbt:$m:fixture_recursife:entry: .*'fixture_recursive'" /tmp/told ||
  fail "the wrong name is not told: $(cat /tmp/told)"
expect 'probes left' '' "$(cat /sys/kernel/debug/kprobes/list)"
expect 'probe events left' '' "$(cat /sys/kernel/tracing/kprobe_events)"

# What cannot be known before is refused when the program is compiled.
kinst -Z -n "kinst:$m:fixture_selected: { trace(memaddr); }" > /tmp/out 2>&1 &&
  fail 'the operands of what is not there are known'
grep -q 'its module is not loaded' /tmp/out || fail "why not is not told: $(cat /tmp/out)"
