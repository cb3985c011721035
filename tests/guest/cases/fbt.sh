# fbt's entries and returns pair up and count what the workload does, with typed
# arguments and results, whichever way the kernel traces functions; a function that
# the kernel's own profile counts runs as often as fbt says.
kinst -l -v -n 'fbt::vfs_read:' > /tmp/listed 2>&1
for line in 'args\[0\]: struct file \* file' 'args\[2\]: size_t count' \
  'args\[1\]: ssize_t result'; do
  grep -q "$line" /tmp/listed || fail "vfs_read's arguments are not listed: $(cat /tmp/listed)"
done

program='
fbt::vfs_read:entry /execname == "dd"/ {
  self->size = arg2; self->name = stringof(args[0]->f_path.dentry->d_name.name);
  self->ts = timestamp; @entries = count();
}
fbt::vfs_read:return /self->ts/ {
  @returns = count();
  @results[self->name, self->size, args[1]] = count();
  @same = sum(arg1 == args[1]);
  @late = sum(timestamp <= self->ts);
  self->ts = 0; self->size = 0; self->name = 0;
}
END {
  printa("entries %@d\n", @entries); printa("returns %@d\n", @returns);
  printa("same %@d\n", @same); printa("late %@d\n", @late);
  printa("%s %d %d: %@d\n", @results);
}'
ways=
for way in fastest fentry kprobe.multi breakpoint kprobe; do
  rm -f /tmp/out
  status=0
  kinst -x fbt=$way -q -n "$program" -o /tmp/out \
    -c 'dd if=/dev/zero of=/dev/null bs=100 count=100' 2> /tmp/errors || status=$?
  if grep -q 'this kernel has no' /tmp/errors; then
    continue
  fi
  [ $status = 0 ] || fail "$way: $(cat /tmp/errors)"
  ways="$ways $way"
  grep -q '^zero 100 100: 100$' /tmp/out || fail "$way: $(cat /tmp/out /tmp/errors)"
  entries=$(sed -n 's/^entries //p' /tmp/out)
  expect "$way: returns" "$entries" "$(sed -n 's/^returns //p' /tmp/out)"
  expect "$way: results as args[1]" "$entries" "$(sed -n 's/^same //p' /tmp/out)"
  expect "$way: returns before entries" 0 "$(sed -n 's/^late //p' /tmp/out)"

  # What runs in the fixture is counted by the fixture.
  function=$(cut -d' ' -f1 $fixture/results | head -1)
  counted=$(kinst -x fbt=$way -q -n "fbt:kinst_fixture:$function:entry { @e = count(); }
    fbt:kinst_fixture:$function:return { @r = count(); }
    END { printa(\"%@d \", @e); printa(\"%@d\", @r); }" \
    -c "sh -c 'echo $function 250 > $fixture/run'" 2> /tmp/errors) ||
    { grep -q 'this kernel has no' /tmp/errors && continue; }
  expect "$way: calls and returns of $function" '250 250' "$counted"
done
echo "$ways" | grep -q kprobe || fail "no way but$ways"
echo "$ways" | grep -q fentry || fail "no fentry, only$ways"
