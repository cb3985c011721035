# How a case of tests/guest, tests/user or tests/system says what came of it; sourced by
# their lib.sh. POSIX sh, as a guest has no other.
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
