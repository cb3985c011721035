# Every example of docs/providers.md that needs no kprobes runs; the guest runs the rest.
document=$folder/../../docs/providers.md
grep -E '^    kinst ' "$document" | sed 's/^    kinst //' | grep -Ev "'(fbt|kinst):" > examples
[ "$(wc -l < examples)" -ge 6 ] || fail 'there are no examples'
while read -r arguments; do
  (eval "timeout 60 \"\$kinst\" $arguments") > out 2>&1 < /dev/null ||
    fail "kinst $arguments: $(cat out)"
  [ -s out ] || fail "kinst $arguments says nothing"
done < examples
