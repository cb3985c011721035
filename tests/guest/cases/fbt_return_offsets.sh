# At a return arg0 is the offset of the instruction that left the function: of a ret, or
# of the jump of a tail call, where there is no result yet.
kinst --disas fixture_tail > /tmp/code
jump=$(awk '/jmp fixture_tail_target/ { print $1 }' /tmp/code)
returns=$(awk '$NF == "return" { print $1 }' /tmp/code)
echo "echo fixture_calls_tail 20 > $fixture/run" > /tmp/work
kinst -q -c 'sh /tmp/work' -n 'fbt:kinst_fixture:fixture_tail:entry { @entries = count(); }
  fbt:kinst_fixture:fixture_tail:return {
    @[arg0, arg1 != 0] = count();
  }
  END { printa("%d %d %@d\n", @); printa("entries %@d\n", @entries); }' > /tmp/out 2>&1
[ $? = 0 ] || fail "$(cat /tmp/out)"
expect 'where fixture_tail returns' "$jump 0 15
$returns 1 5
entries 20" "$(sort -n /tmp/out | sed '/^entries/d; /^$/d'; grep entries /tmp/out)"

# The kernel's own: every offset is that of an instruction that leaves, and there are as
# many returns as entries.
cat > /tmp/work << 'END'
cat /proc/version > /dev/null
cat / > /dev/null 2>&1
cat 0> /dev/null
ls -l /proc/self /sys > /dev/null
echo word | cat > /dev/null
END
kinst -q -c 'sh /tmp/work' -n '
  fbt::vfs_read:entry,fbt::vfs_write:entry,fbt::vfs_open:entry,fbt::vfs_getattr:entry
    /pid != $pid/ { self->in[probefunc] = 1; @entries[probefunc] = count(); }
  fbt::vfs_read:return,fbt::vfs_write:return,fbt::vfs_open:return,fbt::vfs_getattr:return
    /self->in[probefunc]/ { self->in[probefunc] = 0; @[probefunc, args[0]] = count(); }
  END { printa("entry %s %@d\n", @entries); printa("return %s %d %@d\n", @); }' \
  > /tmp/out 2>&1 || fail "$(cat /tmp/out)"
awk '
  $1 == "entry" { entries[$2] = $3; functions++ }
  $1 == "return" { returns[$2] += $4; print $2, $3 > "/tmp/offsets" }
  END {
    for (name in entries) if (entries[name] != returns[name])
      print name, entries[name], "entries", returns[name], "returns"
    if (functions < 3) print functions, "functions"
  }' /tmp/out > /tmp/wrong
expect 'entries without returns' '' "$(cat /tmp/wrong)"
while read -r function offset; do
  kinst --disas $function | awk -v offset=$offset -v name=$function '
    $1 == offset { found = $NF == "return" || / jmp [a-z_]/; line = $0 }
    END { if (!found) print name ": " line " does not leave" }'
done < /tmp/offsets > /tmp/wrong
expect 'offsets of other instructions' '' "$(cat /tmp/wrong)"

# A way that cannot tell says so.
kinst -x fbt=kprobe -n 'fbt::vfs_read:return { trace(arg0); } BEGIN { exit(0); }' > /tmp/out 2>&1 &&
  fail 'fbt=kprobe gives arg0'
grep -q 'only fbt=breakpoint tells where a function returned' /tmp/out ||
  fail "no reason: $(cat /tmp/out)"
