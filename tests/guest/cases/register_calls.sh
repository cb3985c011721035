# Calls through a register can be traced: these kernels all emulate them right, however
# their compiler wrote the code that does.
functions=$(cut -d' ' -f1 $fixture/blocks | sort -u)
[ -n "$functions" ] || fail 'the fixture has no functions'
untraceable $functions > /tmp/untraceable
expect 'calls through a register that are refused' '' \
  "$(grep 'this kernel emulates it wrongly' /tmp/untraceable)"
