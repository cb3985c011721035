# arg1 at a return is the result as its function's type has it, whichever way functions
# are traced and though one program serves functions of several types: vfs_statx gives an
# int, vfs_read a long, path_noexec a bool.
program='
fbt::vfs_statx:return,fbt::vfs_read:return /execname == "stat" && arg1 < 0/ {
  @failed[probefunc, arg1] = count();
}
fbt::vfs_statx:return /execname == "stat"/ { @same = sum(arg1 == args[1]); @all = count(); }
fbt::path_noexec:return /arg1 != 0 && arg1 != 1/ { @odd = count(); }
END {
  printa("%s %d: %@d\n", @failed); printa("same %@d", @same); printa(" of %@d\n", @all);
  printa("odd %@d\n", @odd);
}'
ways=
for way in fastest fentry kprobe.multi breakpoint kprobe; do
  rm -f /tmp/out
  status=0
  kinst -x fbt=$way -q -n "$program" -o /tmp/out -c 'stat /is/not/there' \
    2> /tmp/errors || status=$?
  if grep -q 'this kernel has no' /tmp/errors; then
    continue
  fi
  ways="$ways $way"
  grep -q '^vfs_statx -2: ' /tmp/out || fail "$way: $(cat /tmp/out /tmp/errors)"
  all=$(sed -n 's/^same .* of //p' /tmp/out)
  expect "$way: results as args[1]" "same $all of $all" "$(grep '^same' /tmp/out)"
  expect "$way: neither true nor false" '' "$(grep '^odd' /tmp/out || true)"
done
[ -n "$ways" ] || fail "no way traces functions"
