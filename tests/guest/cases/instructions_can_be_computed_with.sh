# What an instruction is, and its mnemonic, are strings for predicates and expressions.
# Which register vfs_read saves first differs between kernels.
register=$(kinst --disas vfs_read | sed -n 's/.*[[:blank:]]push  *\(%r[a-z0-9]*\).*/\1/p' | head -1)
[ -n "$register" ] || fail "vfs_read pushes nothing: $(kinst --disas vfs_read | head -20)"
kinst -q -n 'kinst::vfs_read: /pid == $target/ { @all = count(); }
  kinst::vfs_read: /pid == $target && mnemonic == "ret"/ { @returns = count(); }
  kinst::vfs_read: /pid == $target && strstr(insn, "'"$register"'") != NULL/
  {
    @[strjoin("does: ", insn), strlen(mnemonic)] = count();
  }
  END { printa("all %@d\n", @all); printa("returns %@d\n", @returns); printa("%s|%d|%@d\n", @); }' \
  -c 'dd if=/dev/zero of=/dev/null bs=1 count=50' > /tmp/out 2> /tmp/errors ||
  fail "kinst: $(cat /tmp/errors)"
reads=$(awk '/^returns/ { print $2 }' /tmp/out)
[ "$reads" -ge 50 ] || fail "50 reads were made: $(cat /tmp/out)"
[ "$(awk '/^all/ { print $2 }' /tmp/out)" -gt "$((reads * 10))" ] || fail "$(cat /tmp/out)"
expect "the push of $register" "does: push $register|4|$reads" \
  "$(grep "^does: push $register|" /tmp/out)"
expect "what does not name $register" '' "$(grep '^does' /tmp/out | grep -v "$register")"
