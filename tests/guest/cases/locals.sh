# Local variables and parameters by name have the values that the function saw, in
# registers, on the stack, behind pointers and in inlined code; source lines are those of
# the fixture's files.
extra=/lib/modules/$(uname -r)/extra
mkdir -p "$extra"
cp "$module" "$extra/"

kinst -q -n '
  kinst::fixture_locals:@87 {
    printf("fixture_locals 0 sum %u\n", sum);
    printf("fixture_locals 0 shape.kind %u\n", shape.kind);
    printf("fixture_locals 0 pointer->depth %u\n", (uint64_t)(int64_t)pointer->depth);
    printf("fixture_locals 0 shape.high_bits %u\n", shape.high_bits);
    printf("fixture_locals 0 pointer->next->range.last %u\n", pointer->next->range.last);
    printf("fixture_locals 0 shape.name[1] %u\n", shape.name[1]);
    printf("fixture_locals 0 words[2] %u\n", words[2]); }
  kinst::fixture_see:entry {
    printf("fixture_locals 0 small %u\n", (uint64_t)(int64_t)small);
    printf("fixture_locals 0 byte %u\n", byte); }
  kinst::fixture_locals:@57 {
    printf("fixture_locals 0 inner %u\n", inner); }' \
  -c "sh -c 'echo fixture_locals 4 > $fixture/run'" > /tmp/got 2>&1 ||
  fail "kinst failed: $(tail -5 /tmp/got)"
awk '$1 == "fixture_locals" && $2 == 0' $fixture/notes > /tmp/noted
# The last of four runs is what was noted.
awk '/./ { last[$3] = $0 } END { for (i in last) print last[i] }' /tmp/got | sort > /tmp/last
expect 'variables' "$(sort /tmp/noted)" "$(cat /tmp/last)"

# Structures as a whole, and text.
expect 'a string in a structure' shape \
  "$(kinst -q -n 'kinst::fixture_locals:@87 { printf("%s", shape.name); exit(0); }' \
    -c "sh -c 'echo fixture_locals 1 > $fixture/run'")"

# The same name at places where it is found differently: an array on the stack, and the
# pointer to it that another function was given.
kinst -q -n 'kinst::fixture_locals:@84,kinst::fixture_locals:@88,kinst::fixture_see:entry {
    printf("%s %d\n", probefunc, words[1]); }' \
  -c "sh -c 'echo fixture_locals 2 > $fixture/run'" > /tmp/got 2>&1 ||
  fail "kinst failed: $(tail -5 /tmp/got)"
expect 'words[1]' "$(printf 'fixture_locals 2\nfixture_see 2')" \
  "$(grep . /tmp/got | sort -u)"

# What is not there is told before anything runs.
kinst -e -n 'kinst::fixture_locals:@87 { trace(unused); }' > /tmp/got 2>&1 &&
  fail 'an optimized-out variable was accepted'
grep -q "'unused' is optimized out at kinst::fixture_locals:" /tmp/got ||
  fail "not told that it is optimized out: $(cat /tmp/got)"

# Lines, joined by the consumer.
expect 'srcfile and srcline' 'locals.c 84' \
  "$(kinst -q -n 'kinst::fixture_locals:@84 { printf("%s %d\n", srcfile, srcline); exit(0); }' \
    -c "sh -c 'echo fixture_locals 1 > $fixture/run'" | sed 's,.*/,,')"
