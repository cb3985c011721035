# What is printed and what is told as dropped are together what the probe was hit.
hits=20000
offset=$(kinst -l -n 'kinst:kinst_fixture:fixture_leaf:' | awk '$2 == "kinst" { print $NF; exit }')
kinst -q -x bufsize=4k -x switchrate=1s -n "kinst:kinst_fixture:fixture_leaf:$offset { printf(\"hit\n\"); }" \
  -c "sh -c 'echo fixture_leaf $hits > $fixture/run'" > /tmp/out 2> /tmp/told || fail "kinst: $(cat /tmp/told)"
printed=$(grep -c hit /tmp/out)
dropped=$(awk '/drops? on CPU/ { sum += $2 } END { print sum + 0 }' /tmp/told)
[ "$dropped" -gt 0 ] || fail "nothing was dropped, so nothing was shown: $printed printed"
expect 'printed and dropped' $hits $((printed + dropped))
all=$(awk '/drops in all/ { print $2 }' /tmp/told)
expect 'the sum that is told' "$dropped" "${all:-$dropped}"
