# In a pid namespace pid, ppid and tid are the numbers of that namespace, as $pid, $target
# and getpid() are: predicates hold, probes find their process, stacks their names. Who is
# outside of the namespace has the number 0.
unshare -pf --mount-proc true 2> refused || skip "no pid namespaces here: $(cat refused)"
inside() {  # SCRIPT
  kinst=$kinst workload=$workload timeout 60 unshare -pf --mount-proc bash -c "$1" 2>&1
}

# What the program itself says of its numbers, once it has been told to go on.
cat > says <<'END'
#!/bin/bash
echo "$$ $PPID" > said
exec "$@"
END
chmod +x says
expect "a command's numbers" 'same' "$(inside '
  "$kinst" -qn "syscall::execve:entry /pid == \$target && !n++/ {
      printf(\"%d %d %d %d\\n\", pid, ppid, tid, ppid == \$pid); }" \
    -c "./says true" > traced
  read number parent < said
  [ "$(cat traced)" = "$number $parent $number 1" ] && echo same ||
    { cat traced said; }')"
expect 'calls in a command, and who makes them' '3 1 1 1 1' "$(inside '
  "$kinst" -qn "pid\$target:a.out:work:entry {
      ++n; this->is = pid == \$target; all = all + (this->is && tid == pid);
      known = curpsinfo->pr_pid == pid && curlwpsinfo->pr_lwpid == tid;
      descends = progenyof(\$target) && progenyof(\$pid) && !progenyof(999999); }
    END { printf(\"%d %d %d %d %d\", n, all == n, known, descends,
      curpsinfo->pr_ppid == ppid); }" -c "$workload 3" | tail -1')"
expect 'the names of frames' 'work main' "$(inside '
  "$kinst" -qn "pid\$target:a.out:work:4 /!n++/ { ustack(2); }" -c "$workload 3" |
  sed -nE "s/^ +user_workload.([a-z_]+)(\+0x[0-9a-f]+)?\$/\1/p" | xargs')"
expect 'a process that runs' '1 1' "$(inside '
  sleep 60 & watched=$!
  "$kinst" -qn "syscall::kill:entry /arg0 == \$target && !n++/ {
      printf(\"%d %d\", pid == 1 && ppid == 0, progenyof(\$pid) == 0); exit(0); }
    tick-20s { printf(\"never\"); exit(0); }" -p $watched & tracing=$!
  while kill -0 $tracing; do kill -CONT $watched; sleep 0.02; done 2> /dev/null
  wait $tracing')"

expect 'what another thread executes, and what is loaded later' '4 6' "$(echo $(inside '
  folder=${workload%/*}
  "$kinst" -qn "pid\$target:a.out:step:entry { ++n; } END { printf(\"%d\", n); }" \
    -c "$folder/user_threads exec 3" | tail -1
  printf " "
  "$kinst" -qZn "pid\$target:later_one.so:later_work:entry { ++n; }
    END { printf(\"%d\", n); }" -c "$folder/user_later load 2 $folder/later_one.so" | tail -1'))"

# Outside: a process of the initial namespace, seen from within.
(while sleep 0.05; do :; done) &
outside=$!
expect 'a process outside of the namespace' '0 0 0' "$(inside '
  "$kinst" -qn "syscall::*nanosleep:entry /execname == \"sleep\" && pid == 0 && !n++/ {
      printf(\"%d %d %d\", pid, ppid, tid); exit(0); }
    tick-10s { printf(\"never\"); exit(0); }"')"
kill $outside
