# Source lines and inlined functions are found in the fixture's own debug information, at
# the addresses where the module was loaded.
extra=/lib/modules/$(uname -r)/extra
mkdir -p "$extra"
cp "$module" "$extra/"

functions_of() {  # DESCRIPTION: of each probe that it means
  kinst -l -n "$1" 2>&1 | awk 'NR > 1 { print $(NF - 1) }'
}

expect 'functions with a copy of fixture_inlined' \
  "$(printf 'fixture_inlined_here\nfixture_inlined_there\nfixture_inlined_there')" \
  "$(functions_of kinst:kinst_fixture:fixture_inlined:entry | sort)"
expect 'probes of a line of what is inlined' fixture_inlined_here \
  "$(functions_of 'kinst::fixture_inlined_here:"@compiled.c:23"' | sort -u)"
expect 'a function'"'"'s first line is behind its landing pad' fixture_inlined_there \
  "$(functions_of 'kinst::fixture_inlined_there:@34')"
kinst -l -n 'kinst::fixture_inlined_there:@32' > /tmp/listed 2>&1
grep -q 'no code of line 32; line' /tmp/listed ||
  fail "the nearest lines are not named: $(cat /tmp/listed)"
