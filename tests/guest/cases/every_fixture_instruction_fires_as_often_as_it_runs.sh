# Every traceable instruction of every function of the fixture fires exactly as often as
# the assembler wrote down, what is not traced is told, and what the functions compute
# stays the same.
times=7
# The effects (fixture_effects_…) are another case's: it compares what they leave.
functions=$(cut -d' ' -f1 $fixture/blocks | sort -u | grep -v '^fixture_effects_')
{ for function in $functions; do echo "echo $function $times > $fixture/run"; done; } > /tmp/work
forget_runs
sh /tmp/work
cp $fixture/results /tmp/untraced

forget_runs
kinst -q -v -n 'kinst:kinst_fixture:fixture_[!e]*: { @[probefunc, probename] = count(); }' -c 'sh /tmp/work' > /tmp/fired 2> /tmp/told ||
  fail "kinst: $(cat /tmp/told)"
expect 'results under tracing' "$(cat /tmp/untraced)" "$(cat $fixture/results)"

# blocks: how often the instructions from an offset on run in one run of the function.
awk -v times=$times '
  NR == FNR { begin[$1, ++count[$1]] = $2; runs[$1, count[$1]] = $3; next }
  $1 in count {
    for (block = count[$1]; begin[$1, block] > $2; --block);
    want = runs[$1, block] * times
    # Where fixture_targets goes depends on its input; the case of branches follows it.
    if ($1 == "fixture_targets") next
    # fixture_leaf is also where another function jumps to.
    if ($1 == "fixture_leaf") want *= 2
    if ($3 != want) print $1 ":" $2 " fired " $3 " times, not " want
    ++checked
  }
  END { if (checked < 900) print "only " checked + 0 " instructions fired" }
' $fixture/blocks /tmp/fired > /tmp/wrong
expect 'wrong counts' '' "$(cat /tmp/wrong)"
