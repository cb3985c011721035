# Entry and return pair up: a latency script counts the calls that the program made, and
# measures less than the program did around them but as long as it asked for. bpftrace,
# where it is installed, counts as many.
program='
  syscall::clock_nanosleep:entry /pid == $target/ { self->ts = timestamp; }
  syscall::clock_nanosleep:return /self->ts/ {
    @calls = count(); @time = sum(timestamp - self->ts); self->ts = 0;
  }
  END { printa("calls %@d\n", @calls); printa("time %@d\n", @time); }'
"$kinst" -q -c "$workload sleeps" -n "$program" > out 2> told || fail "$(cat told)"
awk '
  $1 == "calls" { calls = $2 }
  $1 == "time" { time = $2 }
  $1 == 50 { own = $2 }
  END {
    if (calls != 50) print calls " calls, not 50"
    if (time + 0 > own + 0 || time < 50 * 2000000) print time " ns of the programs own " own
  }' out > wrong
expect 'sleeps' '' "$(cat wrong)"

command -v bpftrace > /dev/null || exit 0
bpftrace -e 'tracepoint:syscalls:sys_enter_clock_nanosleep /pid == cpid/ { @begin = nsecs; }
  tracepoint:syscalls:sys_exit_clock_nanosleep /@begin/ { @calls = count(); @begin = 0; }' \
  -c "$workload sleeps" > beside 2>&1 || exit 0  # not where this kernel refuses it
expect "bpftrace's count" '@calls: 50' "$(grep '^@calls' beside)"
