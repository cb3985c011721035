# memaddr, memsize, memread, memwrite and memval are what the fixture noted of each
# operand before it was used, whatever its form.
functions='fixture_operands fixture_atomic_operands fixture_per_cpu_operands fixture_string_operands'
kinds='memaddr memsize memread memwrite memval'
described= script=
for function in $functions; do
  described=$described${described:+,}kinst:kinst_fixture:$function:
  script="$script echo $function 1 > $fixture/run;"
done
echo "$script" > /tmp/script
kinst -q -n "$described"' {
    printf("%s %s memaddr %u\n", probefunc, probename, memaddr);
    printf("%s %s memsize %u\n", probefunc, probename, memsize);
    printf("%s %s memread %u\n", probefunc, probename, memread);
    printf("%s %s memwrite %u\n", probefunc, probename, memwrite);
    printf("%s %s memval %u\n", probefunc, probename, memval); }' \
  -c 'sh /tmp/script' > /tmp/got || fail "kinst failed: $(tail -5 /tmp/got)"
expect_noted /tmp/got 500 "$kinds" "$functions"

# Address arithmetic of 32 bits.
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
