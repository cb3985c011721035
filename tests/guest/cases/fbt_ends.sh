# Whichever way the kernel traces functions, recursion, tail calls, loops that begin at
# the first instruction and functions that do nothing enter and return as often as they
# run, with the same results.
functions='fixture_recursive fixture_recurse fixture_calls_tail fixture_tail
  fixture_tail_target fixture_calls_loop fixture_loop_first fixture_nothing'
# fixture/ends.c says how often they run.
cat > /tmp/wanted << 'END'
fixture_calls_loop 20
fixture_calls_tail 20
fixture_loop_first 20
fixture_nothing 20
fixture_recurse 80
fixture_recursive 20
fixture_tail 20
fixture_tail_target 15
END
for function in fixture_recursive fixture_calls_tail fixture_calls_loop; do
  echo "echo $function 20 > $fixture/run"
done > /tmp/work
entries= returns=
for function in $functions; do
  entries=$entries${entries:+,}fbt:kinst_fixture:$function:entry
  returns=$returns${returns:+,}fbt:kinst_fixture:$function:return
done

forget_runs
sh /tmp/work
cp $fixture/results /tmp/untraced
ways=
rm -f /tmp/results
for way in breakpoint kprobe.multi kprobe fastest; do
  forget_runs
  kinst -q -x fbt=$way -c 'sh /tmp/work' -n "
    $entries { @entries[probefunc] = count(); }
    $returns { @returns[probefunc] = count(); @results[probefunc] = sum(arg1); }
    END {
      printa(\"entry %s %@d\n\", @entries); printa(\"return %s %@d\n\", @returns);
      printa(\"result %s %@d\n\", @results);
    }" > /tmp/out 2> /tmp/told || {
    grep -q 'this kernel has no' /tmp/told && continue
    fail "$way: $(cat /tmp/told)"
  }
  ways="$ways $way"
  expect "$way: results under tracing" "$(cat /tmp/untraced)" "$(cat $fixture/results)"
  for end in entry return; do
    expect "$way: $end" "$(cat /tmp/wanted)" "$(sed -n "s/^$end //p" /tmp/out | sort)"
  done
  sed -n 's/^result //p' /tmp/out | sed '/fixture_nothing/d' | sort > /tmp/results_now
  [ -e /tmp/results ] || cp /tmp/results_now /tmp/results
  expect "$way: results" "$(cat /tmp/results)" "$(cat /tmp/results_now)"
done
echo "$ways" | grep -q 'breakpoint.* kprobe.*fastest' || fail "no way but$ways"
