# What the cases share; sourced by each in the guest. A case is one shell script whose
# first comment states the claim. It passes by ending with status 0.
fixture=/sys/kernel/debug/kinst_fixture

fail() {  # REASON
  echo "$1"
  exit 1
}

skip() {  # REASON
  echo "$1"
  exit 77
}

# Fails, showing both, unless the two texts are equal.
expect() {  # WHAT WANTED GOT
  [ "$2" = "$3" ] || fail "$1:
wanted: $2
got:    $3"
}

# Runs a function of the fixture so many times.
run_fixture() {  # FUNCTION TIMES
  echo "$1 $2" > $fixture/run || fail "the fixture refused to run $1 $2 times"
}

forget_runs() {
  echo 1 > $fixture/reset
}
