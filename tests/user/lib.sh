# What the cases share; sourced by each. A case is one bash script whose first comment
# states the claim; it passes by ending with status 0. $kinst is the command,
# $workload the program to trace, and the working directory is the case's own.
. "$folder/../verdicts.sh"

# Waits, for ten seconds at most, until BEGIN of a kinst in the background has printed
# "begun" to the file out.
wait_until_begun() {
  for _ in $(seq 100); do
    grep -q begun out && break
    sleep 0.1
  done
}

# Fails unless kinst refuses the arguments with this sentence. Process numbers are N.
expect_refusal() {  # SENTENCE ARGUMENT...
  local sentence=$1 said status=0
  shift
  said=$(timeout 60 "$kinst" "$@" 2>&1 < /dev/null) || status=$?
  expect 'exit status of a refusal' 1 "$status"
  said=$(echo "$said" | sed -E 's/process [0-9]+/process N/; s/^ *hint: //' | tail -1)
  expect "what $* is told" "$sentence" "$said"
}
