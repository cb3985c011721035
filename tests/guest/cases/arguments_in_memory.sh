# A struct by value of more than two words is on the stack, and read there: the time of an
# alarm, whose seconds since 1970 the function returns in nanoseconds.
alarm=/sys/class/rtc/rtc0/wakealarm
[ -e $alarm ] || skip 'this machine has no clock with an alarm'
at=$(($(cat /sys/class/rtc/rtc0/since_epoch) + 5000))
wanted=$(date -u -d @$at '+%S %M %H %d')
for entry in fbt::rtc_tm_to_ktime:entry kinst::rtc_tm_to_ktime:entry; do
  echo 0 > $alarm
  kinst -qn "
    $entry {
      self->copied = args[0].tm_sec;
      printf(\"%d %02d %02d %02d %02d\n\", sizeof (args[0]), args[0].tm_sec,
        args[0].tm_min, args[0].tm_hour, args[0].tm_mday);
    }
    fbt::rtc_tm_to_ktime:return { printf(\"at %d\n\", arg1 / 1000000000); }" \
    -c "sh -c 'echo $at > $alarm'" > /tmp/out 2> /tmp/told || fail "$entry: $(cat /tmp/told)"
  echo 0 > $alarm
  grep -q "^at $at\$" /tmp/out || fail "$entry: no alarm at $at: $(cat /tmp/out)"
  expect "$entry" "36 $wanted" "$(grep -B 1 "^at $at\$" /tmp/out | head -1)"
done
