# args[] of a function whose second parameter is a struct by value, of two words: what
# the system call was given, whichever way the function is traced.
for way in 'fbt -x fbt=breakpoint' 'fbt -x fbt=kprobe.multi' 'fbt -x fbt=kprobe' \
           'fbt -x fbt=fentry' 'fbt'; do
  provider=${way%% *}
  # shellcheck disable=SC2086  # a way is words
  kinst -q ${way#"$provider"} -c "kinst -qn 'BEGIN { exit(0); }'" -n "
    syscall::bpf:entry { self->command = (int)arg0; self->size = (uint32_t)arg2; }
    $provider::__sys_bpf:entry /self->size/ {
      @[args[0] == self->command && args[2] == self->size ? \"right\" : \"wrong\"] =
        count();
    }
    syscall::bpf:return { self->size = 0; }
    END { printa(\"%s\n\", @); }" > /tmp/out 2> /tmp/told || {
    grep -q 'this kernel has no' /tmp/told && continue
    fail "$way: $(cat /tmp/told)"
  }
  # An aggregation at the end of a run has an empty line before it.
  expect "$way" right "$(grep . /tmp/out)"
done
