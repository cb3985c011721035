# The file that runs is traced, wherever it is: deleted, replaced by another, in another
# mount namespace; and in a program that ends at once.
ticks_of() {  # PROCESS
  # A tick within a run of the other probe is missed, and told.
  "$kinst" -q -p "$1" -n 'pid$target:a.out:tick:entry { ++n; }
    tick-300ms { printf("%s", n > 10 ? "many" : "few"); exit(0); }' 2> told || cat told
}
cp "$workload" program
./program tick > /dev/null &
program=$!
sleep 0.2
rm program
expect 'ticks of a deleted program' many "$(ticks_of $program)"
cp /bin/true program
expect 'ticks of a replaced program' many "$(ticks_of $program)"
kill $program

expect 'calls in a program that ends at once' 1 \
  "$("$kinst" -q -c /bin/true -n 'pid$target:libc:exit:entry { @ = count(); }
     END { printa("%@d", @); }' 2>&1)"

unshare -m true 2> /dev/null || skip 'no mount namespace can be made here'
mkdir root
cp "$workload" inside
unshare -m sh -c 'mount -t tmpfs none root && cp inside root/contained && rm inside &&
  exec root/contained tick' > /dev/null &
program=$!
for _ in $(seq 50); do
  sleep 0.1
  [ "$(cat /proc/$program/comm)" = contained ] && break
done
[ ! -e root/contained ] || fail 'the mount is seen outside'
expect 'ticks in a mount namespace' many "$(ticks_of $program)"
kill $program
