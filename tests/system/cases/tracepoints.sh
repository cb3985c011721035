# Fields and arguments of static tracepoints are typed and hold what happened: eleven
# signals to itself, by record and by the kernel's own arguments.
"$kinst" -l -v -n 'sdt:signal::signal_generate,rawtp:::signal_generate' > listed
grep -q 'args\[0\]: int sig' listed && grep -q 'struct task_struct \*' listed ||
  fail "arguments are not listed: $(cat listed)"
"$kinst" -q -c "$workload signals" -n '
  sdt:signal::signal_generate /pid == $target && args[0] == SIGUSR1/ {
    @record[stringof(args[3]), args[4] == $target] = count();
  }
  rawtp:::signal_generate /pid == $target && args[0] == SIGUSR1/ {
    @raw[args[2]->tgid == $target] = count();
  }
  END { printa("sdt %s %d %@d\n", @record); printa("rawtp %d %@d\n", @raw); }' > out 2> told ||
  fail "$(cat told)"
expect 'signals' "sdt $(basename "$workload" | cut -c1-15) 1 11
rawtp 1 11" "$(cat out)"
