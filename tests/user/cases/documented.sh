# Every example of docs/providers.md that needs no kprobes runs, and its answer is right;
# the guest runs the rest.
document=$folder/../../docs/providers.md
. "$folder/../docs/example_answers.sh"
mkdir -p bin build
ln -s "$kinst" bin/kinst
ln -s "$kinst" build/kinst
ln -s "$workload" build/user_workload
PATH=$PWD/bin:$PATH
grep -E '^    (build/)?kinst ' "$document" | sed 's/^    //' | grep -Ev "'(fbt|kinst):" > examples
[ "$(wc -l < examples)" -ge 10 ] || fail "only these: $(cat examples)"
while read -r example; do
  (eval "timeout 60 $example") > out 2> told < /dev/null || fail "$example: $(cat told)"
  check_answer "$example"
done < examples
