# What the cases share; sourced by each in the guest. A case is one shell script whose
# first comment states the claim. It passes by ending with status 0. $cases is where they
# are, $module the fixture's file.
. ../verdicts.sh
fixture=/sys/kernel/debug/kinst_fixture

# Waits for a kinst in the background whose BEGIN prints "ready" to /tmp/out; what it is
# told goes to /tmp/told.
wait_until_ready() {
  waited=0
  until grep -q ready /tmp/out; do
    waited=$((waited + 1))
    [ $waited -lt 300 ] || fail "BEGIN did not run: $(cat /tmp/told)"
    sleep 0.1
  done
}

# Runs a function of the fixture so many times.
run_fixture() {  # FUNCTION TIMES
  echo "$1 $2" > $fixture/run || fail "the fixture refused to run $1 $2 times"
}

forget_runs() {
  echo 1 > $fixture/reset
}

# What the kernel cannot trace of the fixture's functions: lines "FUNCTION OFFSET REASON".
untraceable() {  # FUNCTION...
  described=
  for function in "$@"; do
    described=$described${described:+,}kinst:kinst_fixture:$function:
  done
  kinst -e -v -n "$described" 2>&1 |
    sed -n 's/^kinst: skipped kinst:[^:]*:\([^:]*\):\([0-9]*\): /\1 \2 /p'
}

# Compares the lines "FUNCTION OFFSET KIND VALUE" in a file with what the fixture noted:
# every note of one of these kinds, in one of these functions, about what can be traced,
# must be there and equal. Fails, too, if these are fewer than so many notes.
expect_noted() {  # FILE LEAST KINDS FUNCTIONS
  untraceable $4 > /tmp/untraceable
  awk -v least="$2" -v kinds="$3" -v functions="$4" '
    BEGIN {
      split(kinds, list, " ")
      for (i in list) wants_kind[list[i]] = 1
      split(functions, names, " ")
      for (i in names) wants_function[names[i]] = 1
    }
    FILENAME == ARGV[1] { skipped[$1 " " $2] = 1; next }
    FILENAME == ARGV[2] { got[$1 " " $2 " " $3] = $4; next }
    ($1 in wants_function) && ($3 in wants_kind) && !(($1 " " $2) in skipped) {
      compared++
      key = $1 " " $2 " " $3
      if (!(key in got)) { print key ": nothing, but noted is " $4; wrong++ }
      # As text: numbers in awk have 53 bits.
      else if (got[key] "" != $4 "") { print key ": " got[key] ", but noted is " $4; wrong++ }
    }
    END {
      print compared + 0 " notes compared, " wrong + 0 " differ"
      exit wrong > 0 || compared < least
    }' /tmp/untraceable "$1" $fixture/notes > /tmp/compared ||
    fail "$(cat /tmp/compared)"
  cat /tmp/compared
}
