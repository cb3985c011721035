# branchtaken foresees each conditional jump for all flags and counters that it looks at,
# and branchtarget where control goes, from every kind of jump, call and return.
run_both="echo fixture_short_conditions 1 > $fixture/run;
          echo fixture_long_conditions 1 > $fixture/run"
kinst -q -n 'kinst:kinst_fixture:fixture_short_conditions:branch,
    kinst:kinst_fixture:fixture_long_conditions:branch {
    @[probefunc, probename] = sum((uint64_t)branchtaken << regs[R_RBX]); }
    END { printa("%s %s outcomes %@u\n", @); }' \
  -c "sh -c '$run_both'" > /tmp/got || fail "kinst failed: $(tail -5 /tmp/got)"
expect_noted /tmp/got 34 outcomes 'fixture_short_conditions fixture_long_conditions'
# All but these, which the unit tests run on the processor.
expect 'what cannot be traced of them' 'loop loope loopne loop' \
  "$(kinst --disas fixture_short_conditions | awk '/cannot be traced/ && / branch/ {
      for (i = 1; i <= NF; i++) if ($i ~ /^loop/) print $i }' | tr '\n' ' ' | sed 's/ $//')"

kinst -q -n 'kinst:kinst_fixture:fixture_targets:,kinst:kinst_fixture:fixture_called: {
    printf("%s %s branchtaken %u\n", probefunc, probename, branchtaken);
    printf("%s %s branchtarget %u\n", probefunc, probename, branchtarget); }' \
  -c "sh -c 'echo fixture_targets 1 > $fixture/run'" > /tmp/got ||
  fail "kinst failed: $(tail -5 /tmp/got)"
expect_noted /tmp/got 20 'branchtaken branchtarget' fixture_targets
