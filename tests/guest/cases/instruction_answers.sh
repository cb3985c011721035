# Each name of an instruction that docs/instructions.md gives as an example means what
# the page says, by the function's text; counts, arguments and what is told on the way
# are as the page has them.
page=$cases/../../../docs/instructions.md
extra=/lib/modules/$(uname -r)/extra
mkdir -p "$extra"
cp "$module" "$extra/"

offsets() {  # DESCRIPTION
  kinst -l -n "$1" 2> /tmp/told | awk '$2 == "kinst" { print $NF }' | sort -n
}
# "OFFSET TEXT" of what can be traced, without the classes that kinst says.
texts() {  # FUNCTION
  kinst --disas "$1" | awk '$1 ~ /^[0-9]+$/ && !/cannot be traced/ {
    for (i = 3; $i ~ /^[0-9a-f][0-9a-f]$/; i++);
    text = $i
    for (i++; i <= NF; i++) text = text " " $i
    sub(/( (call|return|jump|branch|load|store|atomic))+$/, "", text)
    print $1, text }'
}
with_text() {  # FUNCTION PATTERN
  texts "$1" | awk -v pattern="$2" '{ at = $1; sub(/^[0-9]+ /, ""); if ($0 ~ pattern) print at }'
}
means() {  # OFFSETS: those of the example, some of them
  [ -n "$1" ] || fail "nothing in the function is what $example is an example of"
  expect "$example" "$1" "$(offsets "$example")"
}

grep '^|' "$page" | grep -o '`kinst:[^`]*`' | tr -d '`' | sort -u > /tmp/examples
[ "$(wc -l < /tmp/examples)" -ge 17 ] || fail "only these examples: $(cat /tmp/examples)"
while read -r example; do
  function=$(echo "$example" | cut -d: -f3)
  case $example in
    'kinst::vfs_read:') means "$(with_text vfs_read .)" ;;
    'kinst::vfs_read:9') means 9 ;;
    'kinst::vfs_read:1?') means "$(with_text vfs_read . | grep -x '1.')" ;;
    *':call') means "$(with_text "$function" '^call ')" ;;
    *':return') means "$(with_text "$function" '^(ret|jmp [a-z_])')" ;;
    *':branch') means "$(with_text "$function" '^j[a-z]+ ' | grep -vxF "$(with_text "$function" '^jmp')")" ;;
    # Arithmetic and moves to memory: what is compared is only read.
    *':store') means "$(with_text "$function" '^(mov|add|sub|and|or|inc|dec|xchg|xadd|lock).*[)]$' |
      grep -vxF "$(with_text "$function" '^movz|^movs[bwl]')")" ;;
    *':atomic') means "$(with_text "$function" '^(lock|xchg)')" ;;
    *':call@rw_verify_area') means "$(with_text vfs_read '^call rw_verify_area$')" ;;
    *':call@*fsnotify*') means "$(with_text vfs_read '^call .*fsnotify')" ;;
    *':=ret') means "$(with_text vfs_read '^ret')" ;;
    *':=cmov*') means "$(with_text vfs_read '^cmov')" ;;
    *':entry') means "$(with_text vfs_read . | head -1)" ;;
    *@461* | *'"@'*)
      # These kernels have no debug information, which is told with its package.
      kinst -e -n "$example" > /tmp/out 2>&1 && fail "$example compiles"
      grep -Eq "no debug information.*Debian: linux-image-.*-dbg|of (module vmlinux|[0-9]+ modules) there is no debug information" /tmp/out ||
        fail "$example: $(cat /tmp/out)" ;;
    *':inlined')
      kinst -e -n "$example" > /tmp/out 2>&1 && fail "$example compiles"
      grep -q 'debug information' /tmp/out || fail "$example: $(cat /tmp/out)" ;;
    *) fail "nobody has said what this example means: $example" ;;
  esac
done < /tmp/examples

# 100 reads: entered, left and gone through the check as often; an atomic operation of
# fput() comes each time that it is called.
kinst -q -c 'dd if=/dev/zero of=/dev/null bs=64 count=100' -n '
  fbt::vfs_read:entry /execname == "dd" && arg2 == 64/ { self->here = 1; @n["entered"] = count(); }
  kinst::vfs_read:call@rw_verify_area /self->here/ { @n["verified"] = count(); }
  kinst::vfs_read:=cmov* /self->here && regs[R_RIP] == 0/ { @n["nowhere"] = count(); }
  kinst::vfs_read:return /self->here/ { @n["left"] = count(); }
  fbt::vfs_read:return { self->here = 0; }
  fbt::fput:entry /execname == "dd"/ { @n["put"] = count(); }
  kinst::fput:atomic /execname == "dd"/ { @atomics[probename] = count(); }
  END { printa("%s %@d\n", @n); printa("atomic %s %@d\n", @atomics); }' > /tmp/out 2> /tmp/told ||
  fail "$(cat /tmp/told)"
expect 'reads' 'entered 100
left 100
verified 100' "$(grep -E '^(entered|left|verified|nowhere)' /tmp/out | sort)"
expect 'calls of fput and its first atomic operation' "$(sed -n 's/^put //p' /tmp/out)" \
  "$(sed -n "s/^atomic $(with_text fput '^lock' | head -1) //p" /tmp/out)"

# The offset that entry means has the arguments, too.
entry=$(offsets kinst::vfs_read:entry)
expect 'arguments at the entry, by offset' '64 100' \
  "$(kinst -q -c 'dd if=/dev/zero of=/dev/null bs=64 count=100' -n "
    kinst::vfs_read:$entry /execname == \"dd\"/ { @[args[2]] = count(); }
    END { printa(\"%d %@d\n\", @); }" 2> /dev/null | grep '^64 ')"
# A variable of an operand that a single probe's instruction has not; lines as values.
between=$(with_text vfs_read '^mov %r[a-z0-9]+,%r[a-z0-9]+$' | head -1)
kinst -e -n "kinst::vfs_read:$between { trace(memval); }" > /tmp/out 2>&1 &&
  fail "a move between registers has a memory operand, at $between"
kinst -e -n 'kinst::vfs_read: /srcline == 3/ { trace(1); }' > /tmp/out 2>&1 && fail 'srcline is computed with'

# What is told of functions that are more than their names, or less. Of Debian's 6.12.
sed -n 's/^    \(kinst: .*\)/\1/p' "$page" > /tmp/sentences
expect 'sentences' 3 "$(wc -l < /tmp/sentences)"
for description in 'kinst::do_*trap*:entry' 'kinst::do_softirq:entry'; do
  kinst -e -q -n "$description { trace(1); }" > /tmp/out 2>&1 || fail "$description: $(cat /tmp/out)"
  case $(uname -r) in
    6.12.*) ;;
    *) sed -i 's/[0-9][0-9]*/N/g' /tmp/out /tmp/sentences ;;
  esac
  grep -qxF "$(grep -F "$description" /tmp/sentences)" /tmp/out || fail "$description: $(cat /tmp/out)"
done
kinst -e -v -n 'kinst:kinst_fixture:fixture_twofold:entry { trace(1); }' > /tmp/out 2>&1
[ "$(grep fixture_twofold /tmp/sentences | sed 's/ [0-9N] / N /')" = \
  "$(grep 'is also inlined' /tmp/out | sed 's/ [0-9] / N /')" ] ||
  fail "copies of fixture_twofold: $(cat /tmp/out)"
