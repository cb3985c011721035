# Mistakes about the kernel's functions are told as tests/messages/kernel.rows has it, and
# what is offered works.
sh "$cases/../../messages/check" "$(command -v kinst)" "$cases/../../messages/kernel.rows" \
  > /tmp/said 2>&1 || fail "$(cat /tmp/said)"
cat /tmp/said
