// The guest's first process, a busybox shell script.
//
// It speaks through four virtio-serial ports, which stay the command's alone, whatever
// the kernel prints to its console:
//   1  control, lines of text: the guest says "up", later "exit STATUS"; the host may
//      say "signal NAME" meanwhile
//   2  the command's standard input
//   3  its standard output, 4 its standard error, and 5 what it writes to descriptor 7,
//      each closed by the end mark
// The host ends the machine once it has read the marks and the status. The machine
// powers itself off if the host does not.
#pragma once

#include <string_view>

namespace kinst::guest {

/// The command's descriptor whose output goes to Command::file.
constexpr int file_descriptor = 7;

/// What it prints to the console of a kernel that has no such ports.
constexpr std::string_view no_console =
    "kinst: this kernel has no virtio console, neither built in nor as a module";

constexpr std::string_view init_script = R"sh(#!/bin/busybox sh
/bin/busybox mount -t proc proc /proc
/bin/busybox --install -s /bin
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
hostname guest
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
for system in tracefs:/sys/kernel/tracing debugfs:/sys/kernel/debug bpf:/sys/fs/bpf; do
  mount -t ${system%%:*} ${system%%:*} ${system#*:}
done
ln -s /proc/self/fd /dev/fd
ln -s /proc/self/fd/0 /dev/stdin
ln -s /proc/self/fd/1 /dev/stdout
ln -s /proc/self/fd/2 /dev/stderr
ifconfig lo 127.0.0.1 up

# A kernel may have none, some or all of these built in.
read -r modules < /kinst/module-names
for module in $modules; do
  for file in /kinst/modules/$module.ko*; do
    [ ! -e $file ] || [ -e /sys/module/$module ] || insmod $file
  done
done
# The ports come one after the other, and each has its file before it can be opened.
waited=0
until [ -c /dev/vport0p5 ] && sh -c ': >/dev/vport0p5' 2>/dev/null; do
  waited=$((waited + 1))
  if [ $waited -gt 100 ]; then
    echo 'kinst: this kernel has no virtio console, neither built in nor as a module'
    poweroff -f
  fi
  sleep 0.02
done
exec 3<>/dev/vport0p1 4</dev/vport0p2 5>/dev/vport0p3 6>/dev/vport0p4 7>/dev/vport0p5
echo up >&3

while read -r word name <&3; do
  [ "$word" != signal ] || kill -$name $(cat /kinst/pid)
done 4<&- 5>&- 6>&- 7>&- &
# In a subshell, so that what the shell itself says of a signal goes to the console.
(exec sh /kinst/command <&4 >&5 2>&6 3>&- 4<&- 5>&- 6>&-)
status=$?
cat /kinst/mark >&5
cat /kinst/mark >&6
cat /kinst/mark >&7
echo exit $status >&3
sleep 60
poweroff -f
)sh";

}  // namespace kinst::guest
