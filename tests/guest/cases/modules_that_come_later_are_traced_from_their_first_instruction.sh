# A run with -Z waits for a module. Each time that it is loaded its probes are there when
# its init function runs, and tell what they tell of a module that has been there all the
# time; when it goes nothing breaks, and nothing is left of them.
m=kinst_fixture
trap 'grep -q "^kinst_fixture " /proc/modules || insmod "$module"' EXIT

# What runs while the module is loaded: fixture/ends.c.
cat > /tmp/work << END
for function in fixture_recursive fixture_calls_tail; do
  echo \$function 20 > $fixture/run
done
END
clauses="
  fbt:$m:fixture_recursive:entry, fbt:$m:fixture_calls_tail:entry {
    @[loads, probefunc, \"arg0\"] = sum(arg0);
    @[loads, probefunc, \"called\"] = sum(caller != 0 && stackdepth > 1);
  }
  fbt:$m:fixture_recurse:entry, fbt:$m:fixture_recurse:return, fbt:$m:fixture_tail: {
    @[loads, probefunc, probename] = sum(1);
  }
  fbt:$m:fixture_recursive:return, fbt:$m:fixture_calls_tail:return {
    @[loads, probefunc, \"arg1\"] = sum(arg1);
  }
  kinst:$m:fixture_tail_target:entry {
    @[loads, probefunc, \"first\"] = sum(arg0);
    @[loads, probemod, \"register\"] = sum(regs[R_RDI]);
  }
  END { printf(\"\\n\"); printa(\"%d %s %s %@d\n\", @); }"

forget_runs
kinst -q -n "int loads; $clauses" -c 'sh /tmp/work' > /tmp/out 2> /tmp/told ||
  fail "while it is there: $(cat /tmp/told)"
sed -n 's/^0 //p' /tmp/out | sort > /tmp/wanted
[ "$(grep -c . /tmp/wanted)" = 12 ] || fail "not all fired: $(cat /tmp/wanted)"

rmmod $m
kinst -q -n "fbt:$m:fixture_tail:entry { exit(0); }" > /tmp/out 2>&1
grep -q "there is no module '$m' in this kernel now.* -Z " /tmp/out ||
  fail "what would help is not told: $(cat /tmp/out)"

kinst -Z -n "int loads; BEGIN { printf(\"ready\n\"); }
  fbt:$m:init_module:entry { loads++; }
  fbt:$m:init_module:return { printf(\"init %d %d\n\", loads, (int)arg1); }
  $clauses" > /tmp/out 2> /tmp/told &
traced=$!
wait_until_ready
grep -q "waiting for the module $m\$" /tmp/told ||
  fail "what it waits for is not told: $(cat /tmp/told)"
for load in 1 2; do
  insmod "$module" || fail "load $load"
  sh /tmp/work || fail "work $load"
  rmmod $m || fail "unload $load"
done
kill -INT $traced
wait $traced
expect 'status' 0 $?
expect 'init functions' 'init 1 0
init 2 0' "$(grep -o 'init [0-9] .*' /tmp/out)"
for load in 1 2; do
  expect "load $load" "$(cat /tmp/wanted)" "$(sed -n "s/^$load //p" /tmp/out | sort)"
done
expect 'probes left' '' "$(cat /sys/kernel/debug/kprobes/list)"
expect 'probe events left' '' "$(cat /sys/kernel/tracing/kprobe_events)"

# And while no probes wait, all is as ever.
insmod "$module" || fail 'the module does not come back'
sh /tmp/work
