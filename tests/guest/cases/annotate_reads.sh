# --annotate on a loop of reads counts the reads.
kinst --annotate vfs_read -c 'dd if=/dev/zero of=/dev/null bs=1 count=700' \
  > /tmp/annotated 2> /tmp/errors || fail "it failed: $(cat /tmp/errors)"
expect 'how often it was entered' 'entered 700' "$(grep -o '^entered [0-9()]*' /tmp/annotated | tr -d '()')"
expect 'executions of the first instruction that can be traced' 700 \
  "$(awk '$2 ~ /^[0-9]+$/ && $1 ~ /^[0-9]+$/ { print $1; exit }' /tmp/annotated)"
grep -q ' = left ' /tmp/annotated || fail "the sums do not add up: $(tail -8 /tmp/annotated)"
grep -q '^counted in process .* and its children$' /tmp/annotated ||
  fail "whose reads were counted is not told: $(head -2 /tmp/annotated)"
