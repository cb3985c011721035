# Two functions of one name are two functions with probes, which the list tells apart, and
# a name that the compiler gave a suffix can be used as it is.
# What a pattern means and cannot be traced is told in one line, also to who wants it quiet.
kinst -qn 'kinst:kinst_fixture:fixture_[bl]*:entry { exit(0); } BEGIN { exit(0); }' \
  > /tmp/out 2> /tmp/told || fail "kinst: $(cat /tmp/told)"
grep -Eq '^kinst: kinst:kinst_fixture:fixture_\[bl\]\*:entry has probes in [0-9]+ of [0-9]+ functions.*; -v says why$' \
  /tmp/told || fail "what is left out is not told: $(cat /tmp/told)"
expect 'lines about it' 1 "$(grep -c . /tmp/told)"
kinst -lvn 'kinst:kinst_fixture:fixture_[bl]*:entry' 2>&1 |
  grep -q 'skipped kinst:kinst_fixture:fixture_blacklisted:.*blacklist' ||
  fail 'the reason is not told'

twins() {  # DESCRIPTION: how often its probes fired in ten runs
  kinst -q -n "$1 { ++hits; } END { printf(\"%d\n\", hits); }" \
    -c "sh -c 'echo fixture_twins 10 > $fixture/run; echo fixture_calls_suffixed 10 > $fixture/run'" \
    2> /tmp/told || fail "kinst: $(cat /tmp/told)"
}
first=$(kinst -l -n 'kinst:kinst_fixture:fixture_twin:' | awk '$2 == "kinst" { print $5; exit }')
listed=$(kinst -l -n "kinst:kinst_fixture:fixture_twin:$first" |
  awk '$2 == "kinst" { print $NF }' |
  while read -r at; do printf '%x\n' $((0x$at - first)); done | sort)
expect 'the addresses by which -l tells the twins apart' \
  "$(awk '$3 == "fixture_twin" { print $1 }' /proc/kallsyms | sort)" "$listed"
expect 'hits of both twins' 20 "$(twins "kinst:kinst_fixture:fixture_twin:$first")"
suffixed=$(grep -o 'fixture_suffixed[^ 	]*' /proc/kallsyms | head -1)
first=$(kinst -l -n "kinst::$suffixed:" | awk '$2 == "kinst" { print $NF; exit }')
expect 'hits of the suffixed function' 10 "$(twins "kinst::$suffixed:$first")"
