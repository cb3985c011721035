# kinst's entry of a function has the arguments that fbt's has, by type and value; places
# behind it have none.
kinst -l -v -n 'kinst::vfs_read:entry' > /tmp/listed 2>&1
for line in 'args\[0\]: struct file \* file' 'args\[2\]: size_t count'; do
  grep -q "$line" /tmp/listed || fail "vfs_read's arguments are not listed: $(cat /tmp/listed)"
done

# Of the same calls: the file, its name, the length, and an argument without its type.
keys='(uint64_t)args[0], stringof(args[0]->f_path.dentry->d_name.name), args[2], arg1'
for way in fentry kprobe; do
  kinst -x fbt=$way -qn "
    kinst::vfs_read:entry /execname == \"dd\"/ { @ours[$keys] = count(); }
    fbt::vfs_read:entry /execname == \"dd\"/ { @fbts[$keys] = count(); }
    END { printa(\"kinst %x %s %d %x %@d\n\", @ours); printa(\"fbt %x %s %d %x %@d\n\", @fbts); }" \
    -c 'dd if=/dev/zero of=/dev/null bs=100 count=50' > /tmp/out 2> /tmp/told ||
    fail "$way: $(cat /tmp/told)"
  grep -q ' zero 100 .* 50$' /tmp/out || fail "$way: no 50 calls of 100 bytes: $(cat /tmp/out)"
  expect "what fbt's $way has" "$(sed -n 's/^fbt //p' /tmp/out | sort)" \
    "$(sed -n 's/^kinst //p' /tmp/out | sort)"
done

# A pattern whose functions have one type, and one whose functions have not.
kinst -en 'kinst::vfs_read*:entry { trace(args[0]); }' > /tmp/told 2>&1 &&
  fail 'vfs_read* has arguments of one type'
grep -q "do not agree on args\[0\]" /tmp/told || fail "not told that they differ: $(cat /tmp/told)"
second=$(kinst -l -n 'kinst::vfs_read:' | awk '$2 == "kinst" && ++count == 3 { print $NF }')
kinst -en "kinst::vfs_read:$second { trace(args[0]); }" > /tmp/told 2>&1 &&
  fail "there are arguments at $second"
grep -q 'a probe named entry has it' /tmp/told || fail "entry is not named: $(cat /tmp/told)"
