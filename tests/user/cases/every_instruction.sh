# Every instruction of a function fires exactly as often as the program itself counts:
# those of a call, of an iteration, and of a multiple of 3.
"$kinst" -q -c "$workload 50" \
  -n 'pid$target:a.out:work: { @[probename] = count(); }
      END { printa("%s %@d\n", @); }' > out 2> errors || fail "$(cat errors)"
read -r calls _ iterations _ multiples _ <<< "$(sed -n 's/,//gp' out)"
expect 'calls that the program counted' 50 "$calls"
awk 'NF == 2 && $2 ~ /^[0-9]+$/ { print $2, $1 }' out > counts
expect 'entries and returns' "$calls $calls" \
  "$(awk '$2 == "entry" || $2 == "return" { printf "%s%s", n++ ? " " : "", $1 }' counts)"
# objdump, which knows nothing of kinst, says where instructions begin.
objdump -d --no-show-raw-insn --disassemble=work "$workload" |
  sed -nE 's/^ *([0-9a-f]+):.*/\1/p' > addresses
begin=$((16#$(head -1 addresses)))
while read -r address; do printf '%x\n' $((16#$address - begin)); done < addresses |
  sed 1d | sort > wanted
# Those of the branch for a count of 0 run less often than once a call, but they run.
expect 'instructions that fired' "$(cat wanted)" \
  "$(awk '$2 !~ /entry|return/ { print $2 }' counts | sort)"
for number in "$iterations" "$multiples"; do
  grep -q "^$number " counts || fail "no instruction ran $number times: $(cat counts)"
done
# Once a call; in all calls but that for a count of 0, or in that alone; once an
# iteration, or in all but each call's last; once a multiple of 3, or in the others.
known="$calls $((calls - 1)) 1 $iterations $((iterations - calls + 1)) $multiples \
  $((iterations - multiples))"
while read -r count name; do
  case " $known " in
    *" $count "*) ;;
    *) fail "$name ran $count times, of which the program knows nothing: $known" ;;
  esac
done < counts
