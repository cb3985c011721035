# A process that the target makes is neither traced nor harmed, and the target is traced
# on when it executes its file again; what it executes instead is not.
frames=$(dirname "$workload")/user_frames
count() {  # MODE
  "$kinst" -q -o counted -c "$frames $1" -n 'pid$target:a.out:outer: {
    @[probename, pid == $target] = count(); } END { printa("%s %d %@d\n", @); }' \
    > told 2>&1 || fail "$(cat told)"
  cat counted
  rm counted
}
expect 'calls in a process that forks' "entry 1 1
return 1 1" "$(count fork | grep -E 'entry|return')"
expect 'instructions in other processes' '' "$(count fork | awk '$2 != 1')"
"$frames" fork || fail 'the program fails untraced'
expect 'status of the traced program that forks' 0 \
  "$("$kinst" -q -w -c "$frames fork" -n 'pid$target:a.out:outer: { ++n; }
     syscall::exit_group:entry /pid == $target/ { printf("%d", arg0); }' 2>&1)"
expect 'calls in a process that executes its file again' "entry 1 2
return 1 2" "$(count exec | grep -E 'entry|return')"
expect 'calls before another program is executed' "1" \
  "$("$kinst" -q -c "sh -c 'exec /bin/true'" -n 'pid$target:libc:execve:entry { ++n; }
     END { printf("%d", n); }' 2>&1)"

expect 'what BEGIN has the system run' 'traced' \
  "$("$kinst" -q -w -n 'BEGIN { system("echo 1 > /dev/null"); }
     syscall::write:entry /ppid == $pid && arg2 == 2/ { printf("traced"); exit(0); }
     tick-10s { printf("not traced"); exit(0); }' 2>&1)"
