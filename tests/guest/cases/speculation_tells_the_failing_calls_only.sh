# What is recorded speculatively at a function's beginning is printed for the calls that
# turn out to fail, and for no other.
kinst --disas do_sys_openat2 > /tmp/code || fail "it cannot be disassembled"
first=$(awk '$2 ~ /^\+0x/ && !/cannot be traced/ { print $1; exit }' /tmp/code)
ends=$(awk '$2 ~ /^\+0x/ && /return$/ && !/cannot be traced/ { printf "%skinst::do_sys_openat2:%s", (n++ ? "," : ""), $1 }' /tmp/code)
cat > /tmp/failing.d <<EOF
#pragma D option quiet
#pragma D option nspec=200

kinst::do_sys_openat2:$first
/progenyof(\$target)/
{
	opened++;
	self->spec = speculation();
}

kinst::do_sys_openat2:$first
/self->spec/
{
	speculate(self->spec);
	printf("%s", copyinstr(regs[R_RSI]));
}

$ends
/self->spec/
{
	speculate(self->spec);
	printf(" failed: %d\n", -(int)regs[R_RAX]);
}

$ends
/self->spec && (int)regs[R_RAX] < 0/
{
	failed++;
	commit(self->spec);
	self->spec = 0;
}

$ends
/self->spec/
{
	discard(self->spec);
	self->spec = 0;
}

END
{
	printf("opened %d failed %d\n", opened, failed);
}
EOF
# The command prints elsewhere: cat uses sendfile, which takes no notice of others that
# write to the same file, and writes over them.
kinst -s /tmp/failing.d \
  -c "sh -c 'cat /proc/version /there/is/nothing > /dev/null; cat /proc/uptime/no /proc/version > /dev/null'" \
  > /tmp/out 2> /tmp/errors || fail "kinst: $(cat /tmp/errors)"
expect 'calls told that must fail' '/there/is/nothing failed: 2
/proc/uptime/no failed: 20' "$(grep -E '^/there|^/proc/[a-z]*/no' /tmp/out)"
expect 'calls told that succeeded' '' "$(grep '^/proc/version' /tmp/out)"
set -- $(grep '^opened' /tmp/out)
expect 'calls told' "$4" "$(grep -c ' failed: ' /tmp/out)"
[ "$2" -gt "$4" ] || fail "none succeeded: $(cat /tmp/out)"
