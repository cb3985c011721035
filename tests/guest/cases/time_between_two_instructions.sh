# The time from one instruction of a call to another one, kept by thread, is measured for
# each call, and quantize() shows it.
kinst --disas vfs_read > /tmp/code || fail "it cannot be disassembled"
first=$(awk '$2 ~ /^\+0x/ && !/cannot be traced/ { print $1; exit }' /tmp/code)
ends=$(awk '$2 ~ /^\+0x/ && /return$/ && !/cannot be traced/ { printf "%skinst::vfs_read:%s", (n++ ? "," : ""), $1 }' /tmp/code)
cat > /tmp/latency.d <<EOF
#pragma D option quiet

kinst::vfs_read:$first
/pid == \$target/
{
	self->ts = timestamp;
	calls++;
}

$ends
/self->ts/
{
	@time["vfs_read, ns"] = quantize(timestamp - self->ts);
	@shortest = min(timestamp - self->ts);
	self->ts = 0;
	measured++;
}

END
{
	printf("calls %d measured %d\n", calls, measured);
	printa("shortest %@d\n", @shortest);
}
EOF
kinst -s /tmp/latency.d -c 'dd if=/dev/zero of=/dev/null bs=1 count=200' \
  > /tmp/out 2> /tmp/errors || fail "kinst: $(cat /tmp/errors)"
set -- $(grep '^calls' /tmp/out)
[ "$2" -ge 200 ] || fail "200 reads were made: $(cat /tmp/out)"
expect 'calls that were measured' "$2" "$4"
expect 'calls in the distribution' "$2" \
  "$(awk '/\|/ { sum += $NF } END { print sum }' /tmp/out)"
[ "$(awk '/^shortest/ { print $2 }' /tmp/out)" -gt 0 ] || fail "no time passed: $(cat /tmp/out)"
