# A process that loads more than 256 files with probes: those of the first 256 fire, the
# process computes what it computes, and that no more come is told.
later=$(dirname "$workload")/user_later
copies=()
for number in $(seq 260); do
  cp "$(dirname "$workload")/later_one.so" "copy$number.so"
  copies+=("./copy$number.so")
done
untraced=$("$later" load 1 "${copies[@]}")
timeout 150 "$kinst" -q -Z -c "$later load 1 ${copies[*]}" -n '
  pid$target:copy*:later_work:entry { @[probemod] = count(); }
  END { printa("%s %@d\n", @); }' > out 2> told || fail "$(cat told)"
expect 'what the program says' "$untraced" "$(grep -v '^copy' out | grep .)"
expect 'libraries whose calls were counted' 256 "$(grep -c '^copy[0-9]*.so 3$' out)"
expect 'others' 0 "$(grep '^copy' out | grep -vc ' 3$')"
expect 'what is told' \
  'process N loads more code with probes than is taken: what comes from now on has none' \
  "$(sed 's/^[^:]*: //; s/process [0-9]*/process N/' told)"
