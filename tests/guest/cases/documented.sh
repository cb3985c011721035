# Every example of docs/providers.md that needs kprobes runs.
grep -E '^    kinst ' "$cases/../../../docs/providers.md" | grep -E "'(fbt|kinst):" > /tmp/examples
[ "$(wc -l < /tmp/examples)" -ge 3 ] || fail 'there are no examples'
while read -r example; do
  (eval "timeout 60 $example") > /tmp/out 2>&1 < /dev/null ||
    fail "$example: $(cat /tmp/out)"
  [ -s /tmp/out ] || fail "$example says nothing"
done < /tmp/examples
