// A program that knows its own stacks: for the tests of ustack(). It is built in
// several ways, without frame pointers in most. usage: frames        prints the return
// address of leaf(), then sorts, and gets a signal
//        frames clock  asks the time for ever, from spin()
//        frames exec [PROGRAM]  calls outer(), and executes itself or PROGRAM clock
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))
#define NO_TAIL_CALL __asm__ volatile("" ::: "memory")

static volatile long sink;
static void* volatile from;

APART long leaf(long value) {
  from = __builtin_return_address(0);
  if (value % 3 == 0) {
    sink += value;
  }
  return value * 7;
}

// Saves registers, has local variables, and calls from two places.
APART long middle(long value) {
  char text[64];
  const int length = snprintf(text, sizeof text, "%ld", value);
  long sum = 0;
  for (int i = 0; i < length; ++i) {
    sum += text[i] * leaf(value + i);
    NO_TAIL_CALL;
  }
  return sum;
}

APART long outer(long value) {
  const long sum = middle(value) + 1;
  NO_TAIL_CALL;
  return sum;
}

APART int compare(const void* left, const void* right) {
  return *(const int*)left - *(const int*)right;
}

APART void sort_numbers(void) {
  int numbers[] = {3, 1, 2};
  qsort(numbers, 3, sizeof numbers[0], compare);
  sink += numbers[0];
}

APART void on_signal(int signal) {
  sink += leaf(signal);
  NO_TAIL_CALL;
}

APART void raise_signal(void) {
  raise(SIGUSR1);
  NO_TAIL_CALL;
}

APART void spin(void) {
  for (;;) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    sink += now.tv_nsec;
  }
}

APART int fork_child(void) {
  const pid_t child = fork();
  if (child == 0) {
    _exit(outer(1) + outer(1) == 2 * outer(1) ? 0 : 1);
  }
  int status = 1;
  waitpid(child, &status, 0);
  sink += outer(1);
  return status == 0 ? 0 : 1;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "clock") == 0) {
    spin();
  }
  if (strcmp(what, "fork") == 0) {
    return fork_child();
  }
  if (strcmp(what, "exec") == 0) {
    sink += outer(1);
    if (argc > 2) {
      usleep(300000);  // for whoever looks at what is loaded
      execl(argv[2], argv[2], "clock", (char*)NULL);
    }
    execl(argv[0], argv[0], (char*)NULL);
  }
  sink += outer(1234);
  printf("leaf returns to %lx\n", (unsigned long)from);
  fflush(stdout);
  sort_numbers();
  signal(SIGUSR1, on_signal);
  raise_signal();
  return 0;
}
