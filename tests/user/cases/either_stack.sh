# One aggregation has kernel stacks and the program's as its keys, each told as what it
# is, and counted apart.
"$kinst" -q -c "$workload 3" -n '
  syscall::write:entry /pid == $target/ { @[stack()] = count(); }
  pid$target:a.out:work:entry { @[ustack(1)] = count(); }
  END { printa("%k%@d\n", @); }' > out 2> errors || fail "$(cat errors)"
works=$("$kinst" -q -c "$workload 3" -n \
  'pid$target:a.out:work:entry { @ = count(); } END { printa("%@d", @); }' | tail -1)
expect "the program's stack, with its count" "user_workload\`work $works" \
  "$(grep -A1 'user_workload`work' out | tr -s ' \n' ' ' | sed 's/^ //; s/ $//')"
grep -q 'vmlinux`' out || fail "no kernel stack: $(cat out)"

# So have stacks of several lengths.
"$kinst" -q -c "$workload 3" -n '
  pid$target:a.out:work:entry { @[ustack(2)] = count(); @[ustack(1)] = count(); }
  END { printa("%k%@d\n", @); }' > out 2> errors || fail "$(cat errors)"
expect 'stacks of one and two frames' 'work 3 work main 3' \
  "$(sed -nE 's/.*`([a-z]+).*/\1/p; s/^ *([0-9]+)$/\1/p' out | tr '\n' ' ' | sed 's/ $//')"
