# Each example of the manual page runs as it stands there and answers what it is there
# for; the page of --html is check-page's.
page=$cases/../../../docs/kinst.1
sed -n '/^\.SH EXAMPLES/,/^\.fi/s/^kinst/&/p' "$page" | sed 's/\\-/-/g' > /tmp/examples
[ "$(wc -l < /tmp/examples)" -ge 6 ] || fail "only these examples: $(cat /tmp/examples)"
rows() { sed 's/^ *//; s/  */ /g; s/ $//' /tmp/out; }
while read -r example; do
  case $example in
    *--html*) continue ;;
  esac
  (eval "timeout 120 $example") > /tmp/out 2> /tmp/told < /dev/null || fail "$example: $(cat /tmp/told)"
  case $example in
    *'printf("%#x", regs[R_RSI])'*)
      # dd reads into one buffer.
      grep -o '0x[0-9a-f]*' /tmp/out | sort | uniq -c | awk '$1 == 10 { found = 1 } END { exit !found }' ||
        fail "$example: no buffer ten times: $(cat /tmp/out)" ;;
    *'kinst::vfs_read: { @[probename]'*)
      # Straight code runs once a call, and nothing more often; others read a few times.
      rows | awk '$2 > 1100 { wrong = 1 } $2 >= 1000 { often++ } END { exit wrong || often < 20 }' ||
        fail "$example: $(cat /tmp/out)" ;;
    *'sym(branchtarget)'*)
      rows | grep -Eq 'rw_verify_area 1[0-9][0-9][0-9]$' && rows | grep -Eq '`read_zero 1000$' ||
        fail "$example: $(cat /tmp/out)" ;;
    *'--annotate vfs_read -c'*)
      # kinst itself looks for a signal each second.
      tr -d '()' < /tmp/out | grep -Eq '^entered 1[0-9]{3} = left 1[0-9]{3} ' ||
        fail "$example: $(tail -4 /tmp/out)" ;;
    *'--annotate vfs_read -n'*)
      # Nobody needs to read meanwhile: the listing is whole, its sums are right.
      tr -d '()' < /tmp/out | grep -Eq '^entered [0-9]+ = left [0-9]+ ' || fail "$example: $(tail -4 /tmp/out)"
      expect 'rows of the listing' "$(kinst --disas vfs_read | grep -cE '^ *[0-9]+ +\+0x')" \
        "$(grep -cE '\+0x[0-9a-f]+  ' /tmp/out)" ;;
    *) fail "nobody has said what this example answers: $example" ;;
  esac
done < /tmp/examples
