# What cannot be traced is refused with a clear sentence, before anything is patched.
inside=$(objdump -d --no-show-raw-insn --disassemble=work "$workload" |
  sed -nE 's/^ *([0-9a-f]+):.*/\1/p' | awk '
    function value(hex,  n, i) {
      n = 0
      for (i = 1; i <= length(hex); ++i)
        n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
      return n
    }
    NR == 1 { begin = value($1) }
    NR > 2 && value($1) - last > 1 {
      printf "%x %x %x\n", last + 1 - begin, last - begin, value($1) - begin
      exit
    }
    { last = value($1) }')
read -r offset this next <<< "$inside"
expect_refusal "work+0x$offset is inside the instruction at $this; the next one is at $next" \
  -c "$workload" -n "pid\$target:a.out:work:$offset { trace(0); }"
size=$(nm -S "$workload" | awk '$4 == "work" { sub(/^0+/, "", $2); print $2 }')
expect_refusal "work has 0x$size bytes, so there is nothing at fff" \
  -c "$workload" -n 'pid$target:a.out:work:fff { trace(0); }'
expect_refusal "'exit' is neither entry, return nor a hexadecimal offset" \
  -c "$workload" -n 'pid$target:a.out:work:exit { trace(0); }'
expect_refusal "did you mean 'work'?" \
  -c "$workload" -n 'pid$target:a.out:wrok:entry { trace(0); }'
cp "$workload" bare
strip bare
expect_refusal 'the program is bare and stripped, so only what it shows to other programs has names' \
  -c ./bare -n 'pid$target:a.out:work:entry { trace(0); }'
expect_refusal "there is no function 'nowhere_near' in user_workload" \
  -c "$workload" -n 'pid$target:a.out:nowhere_near:entry { trace(0); }'
expect_refusal 'pid0 names no process: pid$target is that of -c or -p, pid123 is process N' \
  -n 'pid0:a.out:work:entry { trace(0); }'
"$kinst" -n 'pid$target:a.out:work:entry { trace(0); }' > said 2>&1 < /dev/null && fail 'no target'
grep -q ': macro variable $target is not defined: it is the process of -c or -p, and neither is given$' said ||
  fail "\$target without a process: $(cat said)"
expect_refusal 'pid names no process: pid$target is that of -c or -p, pid123 is process N' \
  -c "$workload" -n 'pid:a.out:work:entry { trace(0); }'
expect_refusal "process N has no 'libnone' loaded, but user_workload, libc.so.6, [vdso], ld-linux-x86-64.so.2" \
  -c "$workload" -n 'pid$target:libnone:work:entry { trace(0); }'
expect_refusal 'there is no process N with a program' \
  -n 'pid4194304:a.out:main:entry { trace(0); }'
expect_refusal 'kinst: cannot run ./nowhere, the command of -c: No such file or directory' \
  -c ./nowhere -n 'pid$target:a.out:main:entry { trace(0); }'

# A program of 32 bits that needs no library: it sleeps for ever.
cat > narrow.s << 'END'
.globl _start
.type _start, @function
_start: mov $29, %eax
        int $0x80
        jmp _start
.size _start, . - _start
END
as --32 -o narrow.o narrow.s && ld -m elf_i386 -o narrow narrow.o
./narrow 2> /dev/null &
narrow=$!
sleep 0.2
if kill -0 $narrow 2> /dev/null; then
  expect_refusal 'process N is a program of another kind of machine or a 32-bit one, whose instructions are not known' \
    -p $narrow -n 'pid$target:a.out:_start:entry { trace(0); }'
  kill $narrow
else
  echo 'not tested: 32-bit programs, which this kernel does not run'
fi
