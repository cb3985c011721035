# -l TYPE shows each member where D's own offsetof() has it, and what is no type is told.
[ -r /sys/kernel/btf/vmlinux ] || skip 'no BTF'
for type in 'struct task_struct' 'struct file' 'struct sk_buff'; do
  "$kinst" -l -v "$type" > shown 2> told || fail "$type: $(cat told)"
  # Members of the struct itself that are no bit-fields, each with its offset.
  sed -nE 's/^\t[^\t{}]*[ *]([a-z_0-9]+)(\[[0-9]*\])*; *\/\* +([0-9]+) +[0-9]+ \*\/$/\1 \3/p' shown > members
  least=10
  [ "$(wc -l < members)" -ge $least ] || fail "$type has few members: $(cat shown)"
  {
    echo 'BEGIN {'
    while read -r name offset; do
      echo "printf(\"$name %d\\n\", offsetof($type, $name));"
    done < members
    echo 'exit(0); }'
  } > offsets.d
  "$kinst" -q -s offsets.d > out 2> told || fail "$(cat told)"
  expect "offsets of $type" "$(cat members)" "$(grep . out)"
  "$kinst" -q -n "BEGIN { printf(\"};  /* %d bytes */\", sizeof($type)); exit(0); }" > out 2> told
  expect "size of $type" "$(tail -1 shown)" "$(grep . out)"
done
expect 'a typedef' 'typedef unsigned int gfp_t;  /* 4 bytes */' "$("$kinst" -l gfp_t)"
