# Two functions of one name are two functions with probes, and a name that the compiler
# gave a suffix can be used as it is.
twins() {  # DESCRIPTION: how often its probes fired in ten runs
  kinst -q -n "$1 { ++hits; } END { printf(\"%d\n\", hits); }" \
    -c "sh -c 'echo fixture_twins 10 > $fixture/run; echo fixture_calls_suffixed 10 > $fixture/run'" \
    2> /tmp/told || fail "kinst: $(cat /tmp/told)"
}
first=$(kinst -l -n 'kinst:kinst_fixture:fixture_twin:' | awk '$2 == "kinst" { print $NF; exit }')
expect 'hits of both twins' 20 "$(twins "kinst:kinst_fixture:fixture_twin:$first")"
suffixed=$(grep -o 'fixture_suffixed[^ 	]*' /proc/kallsyms | head -1)
first=$(kinst -l -n "kinst::$suffixed:" | awk '$2 == "kinst" { print $NF; exit }')
expect 'hits of the suffixed function' 10 "$(twins "kinst::$suffixed:$first")"
