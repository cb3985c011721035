# Programs print the same, and end with the same status, while every instruction of the
# functions that carry them is probed: reading and writing, pipes, opening, page faults,
# fork, exec and exit, signals, and TCP.
functions='vfs_read vfs_write pipe_read anon_pipe_read pipe_write anon_pipe_write
  filemap_read do_sys_openat2 do_wp_page kernel_clone do_exit dequeue_signal
  tcp_sendmsg_locked'

cat > /tmp/work <<'END'
seq 200 > /tmp/numbers
md5sum < /tmp/numbers
gzip -c /tmp/numbers | gunzip | md5sum
sort -r /tmp/numbers | cat | head -3
dd if=/tmp/numbers of=/tmp/copy bs=64 seek=1 conv=notrunc 2> /dev/null
cksum /tmp/copy
trap 'echo signalled' USR1
kill -USR1 $$
sh -c 'exit 7'; echo "ended with $?"
sh -c 'kill -TERM $$'; echo "ended with $?"
nc -l -p 7777 < /dev/null > /tmp/received & sleep 0.3
nc 127.0.0.1 7777 < /tmp/numbers; wait
cksum /tmp/received
rm -f /tmp/numbers /tmp/copy /tmp/received
exit 3
END
expect 'the status of the workload' 'ended with 3' "$(sh /tmp/work > /tmp/untraced 2>&1; echo "ended with $?")"
expect 'lines of the workload' 11 "$(grep -c . /tmp/untraced)"

described=
for function in $functions; do described=$described${described:+,}kinst:vmlinux:$function:; done
cat > /tmp/traced_work <<'END'
sh /tmp/work > /tmp/traced 2>&1; echo "ended with $?" > /tmp/status
END
kinst -q -Z -x maxprobes=0 -x aggsize=8m -n "$described { @[probefunc] = count(); }" \
  -c 'sh /tmp/traced_work' > /tmp/fired 2> /tmp/told || fail "kinst: $(cat /tmp/told)"
expect 'what the workload printed under tracing' "$(cat /tmp/untraced)" "$(cat /tmp/traced)"
expect 'the status of the workload under tracing' 'ended with 3' "$(cat /tmp/status)"
# Most of the functions were there, and ran.
awk 'NF == 2 { functions++; hits += $2 }
  END { print functions + 0 " functions, " hits + 0 " hits"; exit functions < 9 || hits < 5000 }' \
  /tmp/fired > /tmp/counted || fail "too little was probed: $(cat /tmp/counted)"
cat /tmp/counted
