# R_RIP is exactly the address of the instruction, whichever way the kernel probes it.
run_fixture fixture_long 1
begin=0x$(grep ' fixture_long\b' /proc/kallsyms | cut -d' ' -f1)
kinst -q -n "kinst:kinst_fixture:fixture_long: { printf(\"%s %d\n\", probename, regs[R_RIP] - $begin); }" \
  -c "sh -c 'echo fixture_long 1 > $fixture/run'" > /tmp/out 2> /tmp/told || fail "kinst: $(cat /tmp/told)"
expect 'addresses that are not the probe'"'"'s' '' "$(awk 'NF && $1 != $2' /tmp/out)"
[ "$(grep -c . /tmp/out)" -gt 1000 ] || fail "only $(grep -c . /tmp/out) instructions fired"
