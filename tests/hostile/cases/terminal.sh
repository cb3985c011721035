# A string that a traced program chose reaches a terminal with its control characters
# shown, and a file as it is.
command -v script > /dev/null || skip 'script(1) is not installed'
cp "$workload" "$(printf 'a\033[31mb')"
cat > trace << 'END'
"$kinst" -q -c "./$(printf 'a\033[31mb') sound 1" -n '
  syscall::getppid:entry /pid == $target && !n++/ {
    trace(execname);
    printf(" <%s> \033[1mbold", execname);
  }'
END
export kinst
bash trace > file || fail "status $?"
grep -qF "$(printf 'a\033[31mb <a\033[31mb> \033[1mbold')" file ||
  fail "not as it is: $(cat -v file)"
script -qec 'bash trace' typescript > shown 2>&1 < /dev/null ||
  fail "status $?: $(cat -v shown)"
grep -qF "$(printf 'a\\033[31mb <a\\033[31mb> \033[1mbold')" shown ||
  fail "not shown: $(cat -v shown)"
