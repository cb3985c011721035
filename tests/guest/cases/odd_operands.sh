# Operands whose addresses have 32 bits are where the fixture says, and what has no operand
# has zeros, or is refused where nothing else is meant.
kinst -q -n 'kinst:kinst_fixture:fixture_short_addresses: {
    printf("%s %s memaddr %u\n", probefunc, probename, memaddr); }' \
  -c "sh -c 'echo fixture_short_addresses 1 > $fixture/run'" > /tmp/got ||
  fail "kinst failed: $(tail -5 /tmp/got)"
expect_noted /tmp/got 2 memaddr fixture_short_addresses

# What has no operand has zeros; a single probe that has none is told before it runs.
expect 'instructions without an operand' '0 0 0 0 0 0' \
  "$(kinst -q -n 'kinst:kinst_fixture:fixture_values: /memsize == 0/ {
       @[memaddr, memread, memwrite, memval, branchtaken, branchtarget] = count(); }' \
     -c "sh -c 'echo fixture_values 1 > $fixture/run'" |
     awk 'NF { print $1, $2, $3, $4, $5, $6 }')"
kinst -e -n 'kinst:kinst_fixture:fixture_values:=bswap { trace(memaddr); }' > /tmp/got 2>&1 &&
  fail 'an operand that is not there was accepted'
grep -q 'has no memory operand, so memaddr means nothing there' /tmp/got ||
  fail "not told that there is no operand: $(cat /tmp/got)"
