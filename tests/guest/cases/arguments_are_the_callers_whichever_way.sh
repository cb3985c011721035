# args[] of a function whose second parameter is a struct by value, of two words: what
# the system call was given, whichever way the function is traced; the struct's members
# and its copies too.
for way in 'fbt -x fbt=breakpoint' 'fbt -x fbt=kprobe.multi' 'fbt -x fbt=kprobe' \
           'fbt -x fbt=fentry' 'fbt' 'kinst'; do
  provider=${way%% *}
  # shellcheck disable=SC2086  # a way is words
  kinst -q ${way#"$provider"} -c "kinst -qn 'BEGIN { exit(0); }'" -n "
    syscall::bpf:entry {
      self->command = (int)arg0; self->address = arg1; self->size = (uint32_t)arg2;
    }
    $provider::__sys_bpf:entry /self->size/ {
      this->copy = args[1];
      @[args[0] == self->command && args[2] == self->size ? \"right\" : \"wrong\",
        (uint64_t)args[1].user == self->address && !args[1].is_kernel &&
        (uint64_t)this->copy.user == self->address && !this->copy.is_kernel &&
        sizeof (args[1]) == 16 ? \"right\" : \"wrong\"] = count();
    }
    syscall::bpf:return { self->size = 0; }
    END { printa(\"%s %s\n\", @); }" > /tmp/out 2> /tmp/told || {
    grep -q 'this kernel has no' /tmp/told && continue
    fail "$way: $(cat /tmp/told)"
  }
  # An aggregation at the end of a run has an empty line before it.
  expect "$way" 'right right' "$(grep . /tmp/out)"
done
