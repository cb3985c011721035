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
