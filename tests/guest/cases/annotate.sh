# --annotate counts what the fixture knows of itself: how often each of its instructions
# runs, what became of its jumps, where its indirect calls and jumps went; and its sums
# prove it.
times=20
functions='fixture_long_jumps fixture_loops fixture_calls fixture_indirect_jumps
  fixture_jump_table fixture_recursion fixture_tail_jump fixture_leaf fixture_halves'
cat > /tmp/workload <<EOF
#!/bin/sh
for function in $(echo $functions); do echo \$function $times > $fixture/run; done
EOF
chmod +x /tmp/workload
names=$(echo $functions | sed 's/ /,/g')
kinst --annotate "$names" -c /tmp/workload > /tmp/annotated 2> /tmp/errors ||
  fail "it failed: $(cat /tmp/errors)"

# "FUNCTION OFFSET COUNT" of each instruction, derived counts without their parentheses.
awk '/^kinst_fixture:/ { split($1, name, ":") }
     $2 ~ /^[0-9]+$/ && $3 ~ /^\+0x/ { gsub(/[()]/, "", $1); print name[2], $2, $1 }' \
  /tmp/annotated > /tmp/counts
# fixture_leaf also runs at the end of fixture_tail_jump.
awk -v times=$times '
  NR == FNR { key = $1; at[key] = at[key] " " $2; runs[$1, $2] = $3; next }
  $1 in at {
    n = split(at[$1], offsets, " ")
    wanted = "?"
    for (i = 1; i <= n; i++) if (offsets[i] + 0 <= $2 + 0) wanted = runs[$1, offsets[i]] * times
    if ($1 == "fixture_leaf") wanted *= 2
    # What a jump that cannot be probed skipped may have no count.
    if ($3 == "?" && wanted == 0) next
    if ($3 != wanted) print $1 "+" $2 ": " $3 ", not " wanted
    compared++
  }
  END { if (compared < 250) print "only " compared + 0 " instructions were compared" }' \
  $fixture/blocks /tmp/counts > /tmp/wrong
expect 'counts of instructions' '' "$(cat /tmp/wrong)"

# What is said of one function.
about() {  # FUNCTION
  sed -n "/^kinst_fixture:$1 /,/^[0-9]* block/p" /tmp/annotated
}

# Where no probe can be at the first instruction the entries are derived: (20).
entries_of() {  # FUNCTION
  about $1 | sed -n '/^entered/{s/(\([0-9]*\)) =/\1 =/;p}'
}

expect 'sums' "$(for function in $functions; do echo in every one; done)" \
  "$(grep -o 'in every one' /tmp/annotated)"
expect 'edges of the loop around the jump table' 'taken 60, not 20' \
  "$(about fixture_jump_table | grep -o 'taken.*')"
expect 'arms of the jump table' '20 20 20 20' \
  "$(about fixture_jump_table | awk '$2 == "to" { print $1 }' | xargs)"
# Those through registers; kprobes refuse the others.
expect 'targets of indirect calls' "$(yes "$times to fixture_callee" | head -2)" \
  "$(about fixture_calls | awk '$2 == "to" { print $1, $2, $3 }')"
expect 'outcomes of all conditions' "$(for i in $(seq 16); do
    echo "taken $times, not 0"; echo "taken 0, not $times"; done)" \
  "$(about fixture_long_jumps | grep -o 'taken.*')"
expect 'a tail call' "entered $times = left $times ($times to fixture_leaf) + 0 still inside" \
  "$(entries_of fixture_tail_jump)"
expect 'the cold half' "entered $times = left $times ($times returns) + 0 still inside" \
  "$(entries_of fixture_halves)"
