# Probes in libraries that a process loads later are placed before any code of these
# runs: each call is seen, constructors' too, and the program computes what it computes
# untraced. Patterns gain what comes; what is not there yet is waited for with -Z.
later=$(dirname "$workload")/user_later
one=$(dirname "$workload")/later_one.so
two=$(dirname "$workload")/later_two.so

traced() {  # MODE PROGRAM
  timeout 100 "$kinst" -q -Z -c "$later $1 $one $two" -n "$2" 2>&1 | sed '/^$/d' | sort
}
untraced=$("$later" load 2 "$one" "$two")
for mode in load thread; do
  expect "calls in libraries that are waited for, $mode" "inner_two entry 6
later_begin entry 2
later_work entry 6
later_work return 6
$untraced" "$(traced "$mode 2" '
    pid$target:later_one.so:later_work:entry,pid$target:later_one.so:later_work:return,
    pid$target:later_one.so:later_begin:entry,pid$target:*two*:inner_*:entry {
      @[probefunc, probename] = count(); }
    END { printa("%s %s %@d\n", @); }')"
done

# One after the other, often at one address: what fires is what is there.
expect 'calls in thirty rounds' "later_one.so inner_one 90
later_one.so later_work 90
later_two.so inner_two 90
later_two.so later_work 90
own_work 30
$("$later" load 30 "$one" "$two")" "$(traced 'load 30' '
  pid$target::inner_*:entry,pid$target:later*:later_work:entry {
    @[probemod, probefunc] = count(); }
  pid$target:a.out:own_work:entry { @own[probefunc] = count(); }
  END { printa("%s %s %@d\n", @); printa("%s %@d\n", @own); }')"

# Programs that compute with a probe's names and number know those that come, too.
expect 'what predicates know' "inner_one 6 later_one.so 1
$untraced" "$(traced 'load 2' '
  pid$target::inner_*:entry /probefunc == "inner_one" && probemod == "later_one.so"/ {
    name = probefunc; object = probemod; ++n; many = id > 1; }
  END { printf("%s %d %s %d\n", name, n, object, many); }')"

# Every instruction of a function, as objdump has them, and what it returns from.
wanted=$(objdump -d --no-show-raw-insn --disassemble=later_work "$one" |
  sed -nE 's/^ *([0-9a-f]+):.*/\1/p')
begin=$((16#$(head -1 <<< "$wanted")))
expect 'instructions of a function that came later' \
  "$( (for address in $wanted; do printf '%x\n' $((16#$address - begin)); done | sed 1d
       printf 'entry\nreturn\n') | sort)" \
  "$(timeout 60 "$kinst" -q -Z -c "$later load 1 $one" \
     -n 'pid$target:later_one.so:later_work: { @[probename] = count(); }
       END { printa("%s %@d\n", @); }' 2>&1 | sed -n 's/ 3$//p' | sort)"
expect 'results of what came later' "1
3
5" "$(timeout 60 "$kinst" -q -Z -c "$later load 1 $one" -n '
  pid$target:later_one.so:later_work:return { printf("%d\n", arg1); }' 2>&1 | grep -v sum |
  sed '/^$/d')"

# What was not there without -Z is an error as ever, and so is what never can be.
"$kinst" -c "$later load 1 $one" -n 'pid$target:later_one.so:later_work:entry { trace(0); }' \
  > out 2>&1 < /dev/null && fail 'a library that is not there is taken without -Z'
grep -q 'does not match any probes' out || fail "$(cat out)"

# A process that runs already; and one whose tracer is killed in the middle.
mkfifo begin
for way in lives killed; do
  THREADS_WAIT=1 "$later" load 20 "$one" "$two" < begin > said &
  program=$!
  exec 9> begin
  rm -f out
  "$kinst" -q -Z -p $program -n 'BEGIN { printf("begun\n"); }
    pid$target:later_*:later_work:entry { printf("%d\n", ++n); }' > out 2>&1 &
  tracer=$!
  wait_until_begun
  echo >&9
  if [ $way = killed ]; then
    for _ in $(seq 200); do
      [ "$(wc -l < out)" -ge 3 ] && break
      sleep 0.05
    done
    kill -KILL $tracer
  fi
  wait $tracer 2> /dev/null || true
  for _ in $(seq 100); do
    kill -0 $program 2> /dev/null || break
    sleep 0.1
  done
  kill -0 $program 2> /dev/null &&
    fail "the program is left: $(grep State /proc/$program/status)"
  wait $program || fail "the program fails, its tracer $way"
  expect "what the program computes, its tracer $way" \
    "$("$later" load 20 "$one" "$two")" "$(cat said)"
  [ $way = killed ] || expect 'calls in a process that runs already' 120 "$(sed '/^$/d' out | tail -1)"
done

# What a process executes in the place of its program.
expect 'a program that is executed later' 'work 7' \
  "$(timeout 60 "$kinst" -q -Z -c "sh -c 'exec $workload 7'" \
     -n 'pid$target:user_workload:work:entry { @[probefunc] = count(); }
       END { printa("%s %@d\n", @); }' 2>&1 | grep '^work')"
