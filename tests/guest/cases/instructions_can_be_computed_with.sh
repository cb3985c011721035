# What an instruction is, and its mnemonic, are strings for predicates and expressions.
# Which register vfs_read saves first, and how, differs between kernels.
saving=$(kinst --disas vfs_read |
  sed -n 's/.*[[:blank:]]\(push %r[a-z0-9]*\).*/\1/p; s/.*[[:blank:]]\(mov %r[a-z0-9]*,0x[0-9a-f]*(%rsp)\).*/\1/p' |
  head -1)
[ -n "$saving" ] || fail "vfs_read saves nothing: $(kinst --disas vfs_read | head -20)"
mnemonic=${saving%% *}
register=$(echo "$saving" | sed 's/^[a-z]* \(%r[a-z0-9]*\).*/\1/')
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
expect "what saves $register" "does: $saving|${#mnemonic}|$reads" \
  "$(grep -F "does: $saving|" /tmp/out)"
expect "what does not name $register" '' "$(grep '^does' /tmp/out | grep -v "$register")"
