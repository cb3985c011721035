# How the command of -c ends is told as DTrace tells it, changes nothing in kinst's own
# status, and a program that ends or gets signals before its main() is taken for what it
# is.
constructor=$(dirname "$workload")/user_constructor

# What standard error says of a command, without the process's number.
told() {  # ARGUMENT...
  status=0
  "$kinst" "$@" -n 'BEGIN { printf("begun\n"); }' > out 2> errors || status=$?
  expect "status of kinst $*" 0 $status
  grep -q begun out || fail "BEGIN has not run: $(cat errors)"
  grep -v 'matched 1 probe' errors | sed -E 's/pid [0-9]+/pid N/; s/^[^:]*: //'
}
expect 'a command that a signal ends' 'pid N terminated by SIGSEGV' \
  "$(told -c "sh -c 'kill -SEGV \$\$'")"
expect 'the same, quiet' 'pid N terminated by SIGKILL' \
  "$(told -q -c "sh -c 'kill -KILL \$\$'")"
expect 'a command that fails' 'pid N exited with status 3' "$(told -c "sh -c 'exit 3'")"
expect 'the same, quiet' '' "$(told -q -c "sh -c 'exit 3'")"
expect 'a command that succeeds' '' "$(told -c true)"

early='the command of -c ends before its main(), so that nothing of it is traced; -x evaltime=preinit begins before its constructors'
export CONSTRUCTOR=exit
expect 'a program that exits in a constructor' "$early
pid N exited with status 3" "$(told -c "$constructor")"
status=0
timeout 20 "$kinst" -c "$constructor" -n 'pid$target:a.out:nowhere:entry { exit(0); }' \
  > said 2>&1 < /dev/null || status=$?
expect 'status where probes of one that has exited are refused' 1 $status
CONSTRUCTOR=crash
expect 'a program that crashes in a constructor' "$early
pid N terminated by SIGSEGV" "$(told -c "$constructor")"
CONSTRUCTOR=exit
expect 'its constructor, traced' 'exit_group(3)' \
  "$("$kinst" -q -x evaltime=preinit -c "$constructor" \
     -n 'syscall::exit_group:entry /pid == $target/ { printf("exit_group(%d)", arg0); }' 2>&1)"

# A signal that kinst itself uses to stop the program is the program's, too.
CONSTRUCTOR=urgent
expect 'SIGURG before main()' 'urgent 3
main' "$("$kinst" -q -c "$constructor" -n 'pid$target:a.out:main:entry { exit(0); }
  END { printf("main\n"); }' 2>&1 | sort -r)"
