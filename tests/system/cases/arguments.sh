# A call's typed arguments are those that the program gave, by name in -l -v too.
"$kinst" -l -v -n 'syscall::write:entry' > listed
for line in 'args\[0\]: unsigned int fd' 'args\[1\]: const char \* buf|args\[1\]: char \* buf' \
  'args\[2\]: size_t count'; do
  grep -Eq "$line" listed || fail "$(cat listed)"
done
# Of several probes, only if they agree.
"$kinst" -e -n 'syscall::openat*:entry { trace(args[0]); }' 2> told || fail "$(cat told)"
"$kinst" -e -n 'syscall::read*:entry { trace(args[0]); }' 2> told &&
  fail 'args[0] is taken of calls that have different ones'
grep -q "do not agree on args\[0\]: it is '.*' at syscall:vmlinux:read[a-z]*:entry, but '" told ||
  fail "$(cat told)"
"$kinst" -q -c "$workload lengths" -n '
  syscall::write:entry /pid == $target && args[2] <= 40/ { self->length = args[2]; }
  syscall::write:return /self->length/ {
    @same = sum(arg1 == self->length); @all = count(); @lengths = sum(self->length);
    self->length = 0;
  }
  END { printa("%@d ", @same); printa("%@d ", @all); printa("%@d\n", @lengths); }' > out 2> told ||
  fail "$(cat told)"
expect 'writes of 1 to 40 bytes' '40 40 820' "$(cat out)"
