# What the README's first commands print is right: each is run as it stands there, while
# dd reads a known number of times.
readme=$cases/../../../README.md
sed -n 's/^    \(kinst .*\)/\1/p' "$readme" > /tmp/commands
load='dd if=/dev/zero of=/dev/null bs=64 count=100'
# The command number N, with the load behind it; leaves what it says in /tmp/said.
ask() {  # N WORD
  sed -n "$1p" /tmp/commands > /tmp/command
  grep -qF -- "$2" /tmp/command || fail "command $1 is another: $(cat /tmp/command)"
  grep -q -- ' -c ' /tmp/command || sed -i "s|\$| -c '$load'|" /tmp/command
  sh /tmp/command > /tmp/said 2> /tmp/errors || fail "$(cat /tmp/command): $(cat /tmp/errors)"
}

# The second argument of vfs_read() is the buffer, which dd gives to read(2): the address
# that the system call was called with.
ask 1 'regs[R_RSI]'
buffer=$(kinst -qn 'syscall::read:entry /execname == "dd" && arg2 == 64/ { @[arg1] = count(); }
  END { printa("%#x %@d\n", @); }' -c "$load" 2> /tmp/errors | awk '$2 == 100 { print $1 }')
# Its own value differs from run to run; what is equal is how often one address comes.
[ -n "$buffer" ] || fail "read(2) was not called with one buffer: $(cat /tmp/errors)"
# Others read at the same time, one of them more often, maybe.
grep -o '0x[0-9a-f]*' /tmp/said | sort | uniq -c | awk '$1 == 100 { found = 1 } END { exit !found }' ||
  fail "no buffer comes in RSI 100 times: $(sort /tmp/said | uniq -c | sort -n | tail -5)"

# Each instruction's count: none is executed more often than the function is entered
# without a loop, and at least one as often as dd reads.
ask 2 '@[probename] = count()'
awk 'NF == 2 && $1 ~ /^[0-9]+$/ { if ($2 > most) most = $2; n++ }
  END { exit !(n > 10 && most >= 100 && most < 1000) }' /tmp/said ||
  fail "counts of instructions are not those of some 100 reads: $(cat /tmp/said)"

# The listing's offsets are those that can be traced: the probes are among them.
sh -c "$(sed -n 3p /tmp/commands)" | awk '$1 ~ /^[0-9]+$/ { print $1 }' > /tmp/offsets
kinst -l -n 'kinst::vfs_read:' | awk '$2 == "kinst" { print $NF }' > /tmp/probes
[ "$(grep -c . /tmp/probes)" -gt 10 ] || fail 'no probes in vfs_read'
grep -vxFf /tmp/offsets /tmp/probes > /tmp/strange && fail "not in the listing: $(cat /tmp/strange)"

# Annotated: entered and left as often, at least as often as dd reads. The number is in
# brackets where the first instruction has no probe.
ask 4 --annotate
tr -d '()' < /tmp/said > /tmp/plain
entered=$(sed -n 's/.*entered \([0-9]*\).*/\1/p' /tmp/plain | head -1)
[ "${entered:-0}" -ge 1000 ] && [ "$entered" -lt 1100 ] ||
  fail "dd reads 1000 times, entered is '$entered': $(tail -5 /tmp/said)"
grep -q "entered $entered .*= left" /tmp/plain || fail "counts do not add up: $(tail -5 /tmp/said)"

# Who gets here: dd, as often as it reads, from the system call.
ask 5 'stack(5)'
grep -q '^ *dd' /tmp/said || fail "dd is not told: $(cat /tmp/said)"
grep -q 'ksys_read' /tmp/said || fail "no way from the system call: $(cat /tmp/said)"
grep -Eq '^ +100$' /tmp/said || fail "no 100 reads by one way: $(cat /tmp/said)"
