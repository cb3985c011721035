# Distributions that are too large for a value of each CPU's own lose nothing when all
# CPUs add to them at once; those that find no room are told, as with any aggregation.
reads() { echo "taskset -c $1 dd if=/dev/zero of=/dev/null bs=$2 count=100000 2> /dev/null"; }
cpus=$(taskset -cp $$ | sed 's/.*: //' | tr ',' '\n' |
  awk -F- '{ for (i = $1; i <= ($2 ? $2 : $1); i++) print i }')
first=$(head -1 <<< "$cpus") last=$(tail -1 <<< "$cpus")
echo "$(reads "$first" 64) & $(reads "$last" 64) & $(reads "$first" 65) & $(reads "$last" 66) & wait" > load
"$kinst" -q -c 'sh load' -n '
  syscall::read:entry /execname == "dd" && arg2 >= 64 && arg2 < 70/ {
    @ = lquantize(arg2, 0, 65535); @twice = llquantize(arg2, 10, 0, 10, 1000, 2);
    @keyed[arg2 & 1] = lquantize(arg2, 0, 65535);
  }
  END { printa(@); printa(@twice); printa("key %d%@d", @keyed); }' > out 2> told ||
  fail "$(cat told)"
expect 'what is told' '' "$(cat told)"
awk '/^key/ { key = $1 $2 " " } $2 ~ /@/ { print key $1, $NF }' out > counted
expect 'what was counted' '64 200000
65 100000
66 100000
64 400000
65 200000
66 200000
key1 65 100000
key0 64 200000
key0 66 100000' "$(cat counted)"

# Half a megabyte for a key, as in DTrace: seven find room in 4 MB, and one always does.
nine='BEGIN { @[1] = lquantize(1, 0, 65535); @[2] = lquantize(1, 0, 65535); @[3] = lquantize(1, 0, 65535);
  @[4] = lquantize(1, 0, 65535); @[5] = lquantize(1, 0, 65535); @[6] = lquantize(1, 0, 65535);
  @[7] = lquantize(1, 0, 65535); @[8] = lquantize(1, 0, 65535); @[9] = lquantize(1, 0, 65535); }
  BEGIN { exit(0); } END { printa("key %d%@d", @); }'
kept() {  # SIZE: how many keys there are, and how many are told to be lost
  "$kinst" -q -x aggsize="$1" -n "$nine" > out 2> told || fail "$(cat told)"
  echo "$(grep -c '^key' out) $(sed -n 's/^kinst: \([0-9]*\) aggregation drops\{0,1\}.*/\1/p' told)"
}
expect 'keys in 4 MB' '7 2' "$(kept 4m)"
expect 'keys in 8 MB' '9 ' "$(kept 8m)"
expect 'keys in 1 kB' '1 8' "$(kept 1k)"
# More than 40 share maps, and the room in them, by the size of their values.
many=$(for number in $(seq 41); do
  echo "@a$number = lquantize($number, 0, $((number % 2 ? 65535 : 10)));"; done)
"$kinst" -q -x aggsize=16m -n "BEGIN { $many exit(0); }" > out 2> told || fail "$(cat told)"
expect 'values of 41' "$(for number in $(seq 41); do
  [ $((number % 2)) = 1 ] || [ $number -lt 10 ] && echo $number || echo 10; done | sort)" \
  "$(sed -n 's/^ *\(>= \)\{0,1\}\([0-9]*\) |@.*/\2/p' out | sort)"
