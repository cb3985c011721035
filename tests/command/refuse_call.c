// Runs a command to which the kernel refuses one system call, as a container's seccomp
// filter does: refuse_call bpf|perf_event_open EPERM|ENOSYS COMMAND [ARGUMENT...]
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int count, char** values) {
  if (count < 4) {
    fprintf(stderr, "usage: refuse_call CALL ERROR COMMAND [ARGUMENT...]\n");
    return 2;
  }
  const unsigned call = strcmp(values[1], "bpf") == 0 ? SYS_bpf : SYS_perf_event_open;
  const unsigned error = strcmp(values[2], "ENOSYS") == 0 ? ENOSYS : EPERM;
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const struct sock_fprog filter = {.len = sizeof code / sizeof code[0],
                                    .filter = code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
    perror("refuse_call");
    return 77;
  }
  execvp(values[3], values + 3);
  perror(values[3]);
  return 127;
}
