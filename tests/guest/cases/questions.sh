# The three questions about an instruction that the README answers are answered by the
# commands as it prints them.
readme=$cases/../../../README.md
sed -n '/^## Three questions/,/^## [^T]/s/^    kinst /kinst /p' "$readme" > /tmp/commands
expect 'commands in the README' 3 "$(wc -l < /tmp/commands)"
ask() {  # NUMBER: runs that command, and leaves what it says in /tmp/said
  sed -n "$1p" /tmp/commands > /tmp/command
  sh /tmp/command > /tmp/said 2> /tmp/errors || fail "command $1 failed: $(cat /tmp/errors)"
}

# Files of /proc are read by functions of their own, called through a pointer.
ask 1
grep -Eq '^ +[0-9]+ +(vmlinux`)?(seq_read|seq_read_iter|proc_reg_read|proc_reg_read_iter) +[0-9]+$' /tmp/said ||
  fail "nobody was called through the pointer: $(cat /tmp/said)"

# EBADF, by one branch, once.
ask 2
awk '$2 == -9 && $3 == 1 { print $1 }' /tmp/said > /tmp/offset
expect 'branches that failed' 1 "$(wc -l < /tmp/offset)"
kinst --disas vfs_read > /tmp/listing
branch=$(cat /tmp/offset)
grep -q "^ *$branch .* branch" /tmp/listing ||
  fail "offset $branch of vfs_read is no branch: $(cat /tmp/said)"
# The right one: where it goes, the next instructions set the error, EBADF.
target=$(sed -n "s/^ *$branch .* j[a-z]* +\(0x[0-9a-f]*\).*/\1/p" /tmp/listing)
[ -n "$target" ] || fail "where does it go? $(grep "^ *$branch " /tmp/listing)"
awk -v target=$((target)) '$1 ~ /^[0-9]+$/ && $1 + 0 >= target && shown++ < 4' /tmp/listing > /tmp/there
grep -Eq 'mov.*[$](-0x9|-9|0xf+7),' /tmp/there || fail "no EBADF where branch $branch goes:
$(cat /tmp/there)"

# The position in the file before the first read, and before the second.
ask 3
for position in 0 512; do
  grep -Eq "mov .*\(.*\): 8 bytes at [0-9a-fx]+ were $position\$" /tmp/said ||
    fail "the position was never $position: $(cat /tmp/said)"
done
