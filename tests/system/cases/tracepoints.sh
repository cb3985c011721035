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

# A text without bounds in the record (__data_loc char[]) is whole, however it is asked for.
run_echo='sh -c "/bin/echo > /dev/null; /bin/echo > /dev/null; true"'
"$kinst" -q -c "$run_echo" -n '
  sdt:sched::sched_process_exec /execname == "echo"/ {
    printf("told %s %s\n", args[0], stringof(args[0])); @[args[0]] = count();
  }
  END { printa("key %s %@d\n", @); }' > out 2> told || fail "$(cat told)"
expect 'paths that are executed' \
  "$(printf 'key /bin/echo 2\ntold /bin/echo /bin/echo\ntold /bin/echo /bin/echo')" \
  "$(grep . out | sort)"
"$kinst" -q -c "$run_echo" -n 'sdt:sched::sched_process_exec /execname == "echo"/ {
  trace(args[0]); exit(0); }' > out 2> told || fail "$(cat told)"
expect 'the path that is traced' /bin/echo "$(tr -d ' ' < out | grep .)"
