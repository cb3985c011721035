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

# A line of a file, in whatever function it became code, by the end of the file's path.
both="$(printf 'fixture_inlined_here\nfixture_inlined_there')"
for description in 'kinst:::"@compiled.c:23"' 'kinst:kinst_fixture:*:"@compiled.c:23"' \
  'kinst:kinst_fix*::"@compiled.c:23"'; do
  expect "functions of $description" "$both" "$(functions_of "$description" | sort -u)"
done
expect 'functions of a pattern with the line' fixture_inlined_there \
  "$(functions_of 'kinst::*_there:"@compiled.c:23"' | sort -u)"
expect 'the same places as function by function' \
  "$(for one in $both; do kinst -l -n "kinst::$one:\"@compiled.c:23\""; done 2>&1 |
    awk '$2 == "kinst" { print $4, $5 }' | sort)" \
  "$(kinst -l -n 'kinst:::"@compiled.c:23"' 2>&1 | awk '$2 == "kinst" { print $4, $5 }' | sort)"
told() {  # DESCRIPTION PATTERN
  kinst -l -n "$1" > /tmp/listed 2>&1
  grep -q "$2" /tmp/listed || fail "$1: nothing like '$2' in: $(cat /tmp/listed)"
}
told 'kinst:::"@compiled.c:32"' 'no code of line 32 of compiled.c; lines 3[01] and 34 have some'
told 'kinst:::"@ompiled.c:23"' "no code is from a file 'ompiled.c'"
told 'kinst::vfs_*:"@compiled.c:23"' "no function that matches 'vfs_\*' has code of line 23"
told 'kinst:vmlinux::"@compiled.c:23"' "debug package has it (Debian: linux-image-"
told 'kinst:::@23' 'a line without a function is one of a file'

# A function that stands by itself and in another: its entry is the one, and a line tells
# of the other.
kinst -vqn 'kinst::fixture_twofold:entry { @entries = count(); }
  kinst::fixture_twofold:inlined { @inlined = count(); }
  END { printa("entries %@d\n", @entries); printa("inlined %@d\n", @inlined); }' \
  -c "sh -c 'echo fixture_calls_twofold 10 > $fixture/run'" > /tmp/out 2> /tmp/told ||
  fail "kinst: $(cat /tmp/told)"
expect 'calls and copies of fixture_twofold' 'entries 10
inlined 10' "$(grep . /tmp/out)"
for probe in kinst::fixture_twofold:entry fbt::fixture_twofold:return; do
  kinst -evn $probe > /tmp/out 2> /tmp/told || fail "$probe: $(cat /tmp/told)"
  grep -q '^kinst: fixture_twofold is also inlined in 1 place, .*; kinst:kinst_fixture:fixture_twofold:inlined means those$' \
    /tmp/told || fail "$probe: the copy is not told: $(cat /tmp/told)"
done
told 'kinst::fixture_calls_twofold:inlined' "no code has a copy of a function 'fixture_calls_twofold'"
told 'kinst::vfs_read:inlined' "debug package has it (Debian: linux-image-"
