# What the checks of the command share; sourced by each. $1 is the command.
kinst=$(realpath "$1")
work=$(mktemp -d)
trap 'chmod -R u+rwx "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

"$kinst" -q -n 'BEGIN { exit(0); }' > /dev/null 2> "$work/errors" ||
  { echo "BPF is refused here: $(cat "$work/errors")"; exit 77; }

fail() {  # WHAT
  echo "FAIL $1"
  failures=$((failures + 1))
}

expect() {  # WHAT WANTED GOT
  [ "$2" = "$3" ] || fail "$1: wanted '$2', got '$3'"
}

# Runs the command: leaves out, err and $status.
run() {  # ARGUMENTS...
  timeout 30 "$kinst" "$@" > "$work/out" 2> "$work/err" < /dev/null
  status=$?
}
