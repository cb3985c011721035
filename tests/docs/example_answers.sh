# What the examples of the pages must answer, for whoever runs them: sourced by tests of
# this machine (tests/user/cases/documented.sh) and of the guest (documented.sh there).
# fail() is theirs; kinst is in PATH. POSIX sh, as a guest has no other.

# The number in the last field of the only row whose other words are these is within
# bounds. A pattern of sed's, for all of the row.
has_row() {  # WORDS LEAST MOST
  sed 's/^ *//; s/  */ /g; s/ $//' out | sed -n "s/^$1 \([0-9]*\)\$/\1/p" > row
  [ "$(wc -l < row)" = 1 ] && [ "$(cat row)" -ge "$2" ] && [ "$(cat row)" -le "$3" ] ||
    fail "not one row '$1' of $2 to $3, but '$(cat row)': $example
$(cat out told)"
}

# What a distribution under that key counted in all is within bounds; without keys
# everything that was printed.
has_distribution() {  # KEY LEAST MOST
  awk -v key="$1" -v least="$2" -v most="$3" '
    NF == 0 { here = 0 }
    NF == 1 && $1 == key { here = 1 }
    (here || key == "") && /\|/ { sum += $NF }
    END { exit !(sum >= least && sum <= most) }' out ||
    fail "not $2 to $3 in the distribution '$1': $example
$(cat out told)"
}

# Rows "NAME NUMBER": the sum of all is within bounds.
has_sum() {  # LEAST MOST
  awk -v least="$1" -v most="$2" '$NF ~ /^[0-9]+$/ { sum += $NF }
    END { exit !(sum >= least && sum <= most) }' out || fail "not $1 to $2 in all: $example
$(cat out told)"
}

# How often a function of a library is called once main() has begun, as a debugger counts
# it; nothing where there is none. The program's own symbols may be stripped.
debugger_count() {  # FUNCTION COMMAND...
  command -v gdb > /dev/null || return 0
  counted=$1
  shift
  gdb -q -batch -nx -ex 'set breakpoint pending on' -ex 'break __libc_start_main' -ex run \
    -ex 'break *$rdi' -ex continue -ex "break $counted" -ex 'ignore 3 1000000' -ex continue \
    -ex 'info breakpoints' --args "$@" 2> /dev/null |
    sed -n '/^3 /,$s/.*already hit \([0-9]*\) time.*/\1/p'
}

# The offsets in the first column are of instructions that leave the function, by their
# bytes: ret, or the jump that stands for it.
leave() {  # FUNCTION
  kinst --disas "$1" > code 2> told
  awk '$2 == "read" || $2 == "failed" { print $1 }' out | sort -u > offsets
  while read -r offset; do
    awk -v offset="$offset" '$1 == offset && $3 ~ /^(c3|e9|eb|ff)$/ { found = 1 }
      END { exit !found }' code || fail "nothing leaves at $offset: $example"
  done < offsets
}

# The arguments that are listed are the fields of the tracepoint's record.
same_fields() {  # SYSTEM/TRACEPOINT
  sed -n 's/^[^a-z]*args\[[0-9]*\]: .* \([a-z_0-9]*\)$/\1/p' out > listed
  # Nobody may have mounted it where it belongs.
  mkdir -p tracing
  mount -t tracefs tracefs tracing
  cat "tracing/events/$1/format" > format
  umount -l tracing
  sed -n 's/.*field:[^;]*[ *]\([a-z_0-9]*\)\(\[[0-9]*\]\)\{0,1\};.*/\1/p' format |
    grep -v '^common_' > fields
  [ -s fields ] && cmp -s listed fields || fail "fields of $1: $(cat fields)
arguments: $(cat listed)"
}

check_answer() {  # EXAMPLE: its output is in the file out, what it was told in told
  example=$1
  case $example in
    # ---------------------------------------------------------------- providers.md
    *'@[execname, copyinstr(self->path), errno]'*)
      has_row 'cat \/nonexistent 2' 1 1 ;;
    *'syscall::read:return /self->ts/'*)
      has_distribution dd 1000 1020 ;;
    *'@[execname, stringof(args[0]->f_path'*)
      has_row 'dd zero' 100 100 ;;
    *'fbt::vfs_*:return /arg1 < 0'*)
      has_row 'vfs_read -21' 1 1 ;;  # EISDIR, of cat /
    *'@[arg0, arg1 < 0 ? "failed" : "read"]'*)
      # The folder, and kinst's own looks for a signal that there is not: one a second.
      has_row '[0-9]* failed' 1 1000
      awk '$2 == "read" { sum += $3 } END { exit !(sum >= 100 && sum < 150) }' out ||
        fail "not as many reads: $(cat out)"
      leave vfs_read ;;
    *'kinst::vfs_read:call { @[sym(branchtarget)]'*)
      has_row 'vmlinux`rw_verify_area' 100 150
      has_row 'vmlinux`read_zero' 100 100 ;;
    *-Z*fbt:xfs:*)
      grep -q 'waiting for the module xfs$' told || fail "it waits for nothing: $(cat told)" ;;
    *'-l -v -n '*sched_switch*)
      same_fields sched/sched_switch ;;
    *'sdt:sched::sched_wakeup {'*)
      has_row sleep 1 5 ;;
    *'rawtp:::sched_process_exit {'*)
      has_row sleep 1 1 ;;
    *'@[func(arg0)] = count()'*)
      # Samples of the kernel only, no more than the time has room for.
      grep -q '`' out || fail "no samples: $(cat out)"
      grep -v '^ *vmlinux`' out | grep -v '^ *[a-z0-9_]*`' | grep . &&
        fail "samples of what is no function of the kernel: $(cat out)"
      has_sum 1 100000
      grep -Eq '`(read_zero|read_iter_zero|iov_iter_zero|.*clear_user.*|rep_stos.*) ' out ||
        fail "dd was not seen at what it does most: $(cat out)" ;;
    *'libc:malloc:entry { @ = quantize(arg0); }'*)
      debugger_count '*__libc_malloc' ls / > calls
      has_distribution '' "$(grep . calls || echo 1)" "$(grep . calls || echo 100000)" ;;
    *'libc:malloc: { @[probename] = count(); }'*)
      for name in entry return; do
        has_row "$name" "$(grep . calls || echo 1)" "$(grep . calls || echo 100000)"
      done ;;
    *KOI8-R.so:gconv*)
      debugger_count gconv iconv -f KOI8-R -t UTF-8 /etc/passwd > calls
      has_row 'KOI8-R.so gconv' "$(grep . calls || echo 1)" "$(grep . calls || echo 10)" ;;
    *'user_workload 1000'*)
      # It says itself how often work() ran.
      calls=$(sed -n 's/^\([0-9]*\) calls, .*/\1/p' out)
      [ -n "$calls" ] && grep -Eq "^ +$calls\$" out || fail "not as many calls: $(cat out)" ;;
    *) fail "nobody has said what this example must answer: $example" ;;
  esac
}
