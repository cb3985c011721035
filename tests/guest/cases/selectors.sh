# A selector means the instructions of its class, all of them and no other; an entry is
# the first instruction that can be traced, a return every one that leaves.
list() {  # NAME [FUNCTION]: the offsets of the probes
  kinst -l -n "kinst:kinst_fixture:${2:-fixture_selected}:$1" 2>&1 |
    awk 'NR > 1 { print $NF }' | sort -n
}
untraceable fixture_selected > /tmp/untraceable
noted() {  # KIND
  awk -v kind="$1" 'NR == FNR { skipped[$1 " " $2] = 1; next }
    $1 == "fixture_selected" && $3 == kind && !(($1 " " $2) in skipped) { print $2 }' \
    /tmp/untraceable $fixture/notes | sort -n
}
for class in call return jump branch load store atomic; do
  [ -n "$(noted $class)" ] || fail "the fixture has no $class"
  expect "$class" "$(noted $class)" "$(list $class)"
done
expect 'call@TARGET' "$(noted calls_callee)" "$(list call@fixture_selected_callee)"
expect 'call@GLOB' "$(noted calls_callee)" "$(list 'call@*_callee')"
expect '=MNEMONIC' "$(noted cmpxchg)" "$(list =cmpxchg)"
expect '=GLOB' "$(noted cmpxchg)" "$(list '=cmpx*')"
expect 'the return' "$(noted return)" "$(list return)"
expect 'one entry' 1 "$(list entry | wc -l)"
expect 'entry is the first that can be traced' "$(list '' | head -1)" "$(list entry)"
# Leaving by a jump to another function is a return, too.
expect 'a tail jump' "$(list jump fixture_tail_jump)" "$(list return fixture_tail_jump)"

# All of them are ordinary probes, named by offset.
kinst -q -n 'kinst:kinst_fixture:fixture_selected:atomic { @[probename] = count(); }
    END { printa("%s %@d\n", @); }' \
  -c "sh -c 'echo fixture_selected 3 > $fixture/run'" > /tmp/got ||
  fail "kinst failed: $(tail -5 /tmp/got)"
expect 'counts' "$(noted atomic | sed 's/$/ 3/')" "$(grep . /tmp/got | sort -n)"
