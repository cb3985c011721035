# ustack() and uregs[] are what the program's file, the calling convention and gdb say,
# in a program that may be loaded anywhere; and each is named there and in libraries.
"$kinst" -q -c "$workload 3" -n '
  pid$target:a.out:work:4 /!seen++/ {
    printf("sp %x ip %x argument %d\n", uregs[R_RSP] & 0xf, uregs[R_RIP] & 0xfff,
      uregs[R_RDI]);
    ustack(2);
  }
  pid$target:libc:*snprintf:entry /!seen_library++/ { ustack(1); }' \
  > out 2> errors || fail "$(cat errors)"
expect 'the library function' "libc.so.6\`__snprintf" \
  "$(grep -o 'libc.so.6`__snprintf' out)"
# What the program's file and the calling convention say: work+4 is where the probe is,
# its caller has pushed a return address to an aligned stack and work() one register.
place=$(printf '%x' $(((16#$(nm "$workload" | awk '$3 == "work" { print $1 }') + 4) & 0xfff)))
expect 'registers' "sp 0 ip $place argument 0" "$(grep '^sp' out)"
expect 'frames' "work main" \
  "$(sed -nE 's/^ +user_workload`([a-z_]+)(\+0x[0-9a-f]+)?$/\1/p' out | tr '\n' ' ' | sed 's/ $//')"

# gdb, where it runs, says the same.
gdb -batch -ex 'set debuginfod enabled off' -ex 'break *(work+4)' -ex "run 3" \
  -ex 'printf "sp %x ip %x argument %d\n", (long)$sp & 0xf, (long)$pc & 0xfff, $rdi' \
  -ex 'bt 2' "$workload" > gdb 2>&1 || true
if grep -q '^#1' gdb; then
  expect "gdb's registers" "$(grep '^sp' gdb)" "$(grep '^sp' out)"
  expect "gdb's frames" "$(sed -nE 's/^#[0-9]+ +(0x[0-9a-f]+ in )?([a-z_]+) .*/\2/p' gdb)" \
    "$(sed -nE 's/^ +user_workload`([a-z_]+)(\+0x[0-9a-f]+)?$/\1/p' out)"
fi

# An index that is no register is refused.
if "$kinst" -c "$workload" -n 'pid$target:a.out:work:entry { trace(uregs[999]); }' \
  > out 2>&1; then
  fail 'uregs[999] is taken'
fi
grep -q 'uregs\[\] has no register 999' out || fail "uregs[999]: $(cat out)"
