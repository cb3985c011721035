# `return` fires exactly as often as functions return, at the instruction that returns,
# with the result, and changes nothing in the program: exceptions, longjmp, swapcontext,
# deep recursion, tail calls, jumps through tables, parts that were split off.
returns=$(dirname "$workload")/user_returns
"$returns" > untraced

# What the program says of itself, and what a D program counts.
functions=$(awk '{ print $1 }' untraced)
probes=$(for function in $functions; do
  printf 'pid$target:a.out:%s:return,\n' $function
done)
ends=$(for function in $functions; do
  printf 'END { printf("%%s %%d %%d\\n", "%s", n["%s"], r["%s"]); }\n' \
    $function $function $function
done)
"$kinst" -q -o counts -c "$returns" \
  -n "${probes%,} { ++n[probefunc]; r[probefunc] = arg1; } $ends" \
  > out 2> errors || fail "$(cat errors)"
expect 'what the program says traced' "$(cat untraced)" "$(cat out)"
expect 'returns and results as D counts them' "$(sort untraced)" "$(grep . counts | sort)"
expect_refusal 'it never returns' -c "$returns" -n 'pid$target:a.out:jump_out:return'

# With every probe of every function there is, too.
status=0
rm counts
"$kinst" -q -o counts -c "$returns" -n 'pid$target:a.out:[a-z]*: {
    @[probefunc, probename] = count(); }
  END { printa("%s %s %@d\n", @); }' > out 2> errors || status=$?
expect 'status with all probes' 0 $status
expect 'what the program says with all its instructions probed' "$(cat untraced)" \
  "$(cat out)"
expect 'returns with all probes' "$(awk '{ print $1, $2 }' untraced | sort)" \
  "$(awk '$2 == "return" { print $1, $3 }' counts |
     grep -xE "($(echo $functions | tr ' ' '|')) [0-9]+" | sort)"

# arg0 is the offset of the instruction that leaves, and the stack is the function's.
"$kinst" -q -c "$returns" -n 'pid$target:a.out:two_ways:return {
    @[arg0, uregs[R_RIP] & 0xfff] = count(); }
  pid$target:a.out:two_ways:return /!seen++/ { ustack(2); printf("caller %A\n", ucaller); }
  END { printa("%x %x %@d\n", @); }' > out 2> errors || fail "$(cat errors)"
begin=$((16#$(nm "$returns" | awk '$3 == "two_ways" { print $1 }')))
places=$(objdump -d --no-show-raw-insn "$returns" |
  awk '/<two_ways>:/ { on = 1 } on && $2 == "ret" { print $1 } /^$/ { on = 0 }' | tr -d :)
expect 'instructions that return from two_ways()' \
  "$(for place in $places; do
       printf '%x %x 500\n' $((16#$place - begin)) $((16#$place & 0xfff))
     done | sort)" "$(grep -E '^[0-9a-f]+ [0-9a-f]+ 500$' out | sort)"
expect 'frames at a return' 'two_ways main' \
  "$(sed -nE 's/^ +user_returns`([a-z_]+)\+0x[0-9a-f]+$/\1/p' out | tr '\n' ' ' |
     sed 's/ $//')"
grep -qE '^caller user_returns`main\+0x' out || fail "ucaller: $(cat out)"

# Beside an entry at the same instruction, the entry comes first: tail_call() of a
# function that is one jump.
"$kinst" -q -o order -c "$returns" -n 'pid$target:a.out:one_jump:entry { printf("in "); }
  pid$target:a.out:one_jump:return { printf("out "); exit(0); }' > out 2>&1
expect 'entry and return at one instruction' 'in out ' "$(grep . order)"
