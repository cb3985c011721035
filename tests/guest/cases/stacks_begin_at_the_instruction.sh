# A stack begins at the probe's instruction, whatever way the kernel traces it, and goes
# on with the caller; none has frames of BPF's own.
dd='dd if=/dev/zero of=/dev/null bs=1 count=3'
offset=$(kinst -l -n 'kinst::vfs_read:store' | awk '$2 == "kinst" { print $NF; exit }')

first_frames() {  # LEAVES-OUT-OFFSETS PROBE [OPTION...]
  leaves_out=$1
  probe=$2
  shift 2
  kinst -q "$@" -n "$probe /pid == \$target/ { stack(2); exit(0); }" -c "$dd" 2> /tmp/told |
    awk 'NF { print $1 }' | if $leaves_out; then sed 's/+0x.*//'; else sed 's/\(ksys_read\)+0x.*/\1/'; fi
}
hexadecimal=$(printf '%x' "$offset")
expect 'at an instruction' "vmlinux\`vfs_read+0x$hexadecimal
vmlinux\`ksys_read" "$(first_frames false "kinst::vfs_read:$offset")"
for way in fentry kprobe.multi kprobe; do
  wanted='vmlinux`vfs_read
vmlinux`ksys_read'
  got=$(first_frames true fbt::vfs_read:entry -x fbt=$way)
  if grep -q 'has no' /tmp/told; then continue; fi
  expect "at an entry by $way" "$wanted" "$got"
  got=$(kinst -q -x fbt=$way -n 'fbt::vfs_read:entry /pid == $target/ { sym(caller); exit(0); }' \
    -c "$dd" 2> /dev/null | awk 'NF { print $1 }')
  expect "caller by $way" 'vmlinux`ksys_read' "$got"
done
for probe in syscall::read:entry syscall::read:return rawtp:::sys_enter; do
  kinst -q -n "$probe /pid == \$target/ { stack(); exit(0); }" -c "$dd" > /tmp/out 2>&1
  grep -q vmlinux /tmp/out || fail "no stack at $probe: $(cat /tmp/out)"
  if grep -Eq 'bpf`|bpf_trace_run' /tmp/out; then fail "BPF's frames at $probe: $(cat /tmp/out)"; fi
done
