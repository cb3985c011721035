# Every instruction of libc's malloc, memcpy and memmove variants and printf family is
# probed, and the program computes what it computes untraced.
untraced=$("$workload" 2)
for functions in malloc '*mem[cm]*' '*printf*'; do
  "$kinst" -q -c "$workload 2" -o counts \
    -n "pid\$target:libc:$functions: { @[probefunc] = count(); }" > out 2> errors ||
    fail "$functions: $(cat errors)"
  expect "what the program computes while $functions is traced" "$untraced" \
    "$(cat out)"
  expect "complaints about $functions" '' "$(cat errors)"
  [ -s counts ] || fail "nothing of $functions fired"
done
