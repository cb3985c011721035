# A profile's arg1 is where the program computes, its arg0 where the kernel works for
# it; one of them is 0. A tick fires on one CPU, at its rate.
begin=0x$(nm "$workload" | awk '$3 == "spin" { print $1 }')
size=0x$(nm -S "$workload" | awk '$4 == "spin" { print $2 }')
"$kinst" -q -c "$workload spin" -n "
  profile-997 /pid == \$target/ { @all = count(); @both = sum(arg0 != 0 && arg1 != 0); }
  profile-997 /pid == \$target && arg1/ { @user = count(); }
  profile-997 /pid == \$target && arg1 >= $begin && arg1 < $begin + $size/ { @there = count(); }
  END { printa(\"%@d \", @all); printa(\"%@d \", @both); printa(\"%@d \", @user); printa(\"%@d\n\", @there); }" > out 2> told ||
  fail "$(cat told)"
awk '{ exit $1 > 100 && $2 == 0 && $4 > 0.9 * $3 && $3 > 0.8 * $1 ? 0 : 1 }' out ||
  fail "samples, with both, in user code, in spin(): $(cat out)"

"$kinst" -q -c "$workload zeros" -n '
  profile-997 /pid == $target/ { @all = count(); }
  profile-997 /pid == $target && arg0 > 0xffff800000000000/ { @kernel = count(); }
  END { printa("%@d ", @all); printa("%@d\n", @kernel); }' > out 2> told || fail "$(cat told)"
awk '{ exit $1 > 100 && $2 > 0.5 * $1 ? 0 : 1 }' out ||
  fail "samples, in the kernel: $(cat out)"

"$kinst" -q -n 'tick-20ms { ++n; } tick-1s { printf("%d\n", n); exit(0); }' > out 2> told ||
  fail "$(cat told)"
awk '{ exit $1 >= 25 && $1 <= 51 ? 0 : 1 }' out || fail "ticks in a second: $(cat out)"
