# Every example of docs/providers.md that needs kprobes runs, and its answer is right.
cd /tmp || exit 1
. "$cases/../../docs/example_answers.sh"
grep -E '^    kinst ' "$cases/../../../docs/providers.md" | sed 's/^    //' | grep -E "'(fbt|kinst):" > examples
[ "$(wc -l < examples)" -ge 4 ] || fail 'there are no examples'
while read -r example; do
  (eval "timeout 60 $example") > out 2> told < /dev/null || fail "$example: $(cat told)"
  check_answer "$example"
done < examples
