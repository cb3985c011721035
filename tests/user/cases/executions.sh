# A process is traced on when a thread of it that is not the first executes a program, as
# it is when the first does: the same counts, the same stacks, in every library; with -c
# and with -p; and it is not harmed by it, nor by kinst's end in the middle.
threads=$(dirname "$workload")/user_threads

cat > counts.d << 'END'
pid$target:a.out:step: { @[probefunc, probename] = count(); }
pid$target:libc:puts:entry,pid$target:libc:puts:return { @[probefunc, probename] = count(); }
pid$target:a.out:step:entry { @depths[ustackdepth] = count(); }
END { printa("%s %s %@d\n", @); printa("depth %d %@d\n", @depths); }
END
counts() {  # MODE
  timeout 60 "$kinst" -q -s counts.d -c "$threads $1 3" 2>&1 | sort
}
by_first=$(counts first)
grep -q '^step entry 4$' <<< "$by_first" || fail "executed by the first thread: $by_first"
grep -q '^_IO_puts return 1$' <<< "$by_first" || fail "executed by the first thread: $by_first"
expect 'what fires when another thread executes the program' "$by_first" "$(counts exec)"

# A process that runs already.
mkfifo begin
THREADS_WAIT=1 "$threads" exec 3 < begin > said &
program=$!
exec 9> begin
"$kinst" -q -p $program -n 'pid$target:a.out:step:entry { ++n; } BEGIN { printf("begun\n"); }
  END { printf("%d calls", n); }' > out 2>&1 &
tracer=$!
wait_until_begun
echo >&9
wait $tracer
expect 'calls in a process that runs already' '4 calls' "$(tail -1 out)"
wait $program || fail "it fails: $(cat said)"

# Another program in its place: it runs, and what it does is its own.
expect 'another program' 'another 0' \
  "$(timeout 60 "$kinst" -q -w -c "$threads run /bin/sh -c 'echo another'" \
     -n 'pid$target:a.out:step: { ++n; } syscall::exit_group:entry /pid == $target/ {
       printf("%d", n); }' 2>&1 | xargs)"
# A set-user-ID program, and one that is stopped and killed right away.
if [ -u /bin/su ]; then
  expect 'a set-user-ID program' 0 \
    "$(timeout 60 "$kinst" -q -c "$threads run /bin/su --version" \
       -n 'pid$target:a.out:step: { ++n; } END { printf("%d", n); }' 2>&1 | tail -1)"
fi
expect 'a program that kills itself' 'pid N terminated by SIGKILL' \
  "$(timeout 60 "$kinst" -q -c "$threads run /bin/sh -c 'kill -KILL \$\$'" \
     -n 'pid$target:a.out:step: { ++n; }' 2>&1 >/dev/null |
   sed -E 's/pid [0-9]+/pid N/; s/^[^:]*: //')"

# One after the other, as fast as they come.
expect 'fifty executions' '51 calls' \
  "$(timeout 100 "$kinst" -q -c "$threads exec 50" -n 'pid$target:a.out:step:entry { ++n; }
     END { printf("%d calls", n); }' 2>&1 | tail -1)"

# However kinst ends, the program does not stay behind.
for signal in INT KILL; do
  "$threads" exec 0 > /dev/null
  rm -f out
  THREADS_WAIT=1 "$threads" exec 100 < begin > said &
  program=$!
  "$kinst" -q -p $program -n 'pid$target:a.out:step:entry { ++n; printf("%d\n", n); }
    BEGIN { printf("begun\n"); }' > out 2>&1 &
  tracer=$!
  wait_until_begun
  echo >&9
  for _ in $(seq 100); do
    [ "$(wc -l < out)" -ge 3 ] && break
    sleep 0.05
  done
  kill -$signal $tracer
  wait $tracer 2> /dev/null || true
  for _ in $(seq 100); do
    kill -0 $program 2> /dev/null || break
    sleep 0.1
  done
  if kill -0 $program 2> /dev/null; then
    fail "after SIG$signal to kinst the program is left: $(grep State /proc/$program/status)"
  fi
  wait $program || fail "the program fails after SIG$signal to kinst"
  expect "what the program says after SIG$signal to kinst" 'done' "$(cat said)"
done
