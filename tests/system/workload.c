// A program that knows which system calls it makes, which signals it sends and where it
// spends its time: for the tests that trace it.
// usage: system_workload calls     makes calls, and prints of each "NAME ERROR TIMES"
//        system_workload lengths   writes 1 to 40 bytes to /dev/null
//        system_workload sleeps    sleeps, and prints "SLEEPS NANOSECONDS", as it saw
//        it system_workload signals   sends itself SIGUSR1 eleven times system_workload
//        spin      computes in spin() for a second of processor time system_workload
//        zeros     reads /dev/zero for a second of processor time
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static unsigned long long nanoseconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (unsigned long long)now.tv_sec * 1000000000ULL +
         (unsigned long long)now.tv_nsec;
}

static int make_calls(void) {
  char byte = 0;
  int failures[3] = {0, 0, 0};
  for (int i = 0; i < 7; ++i) {
    failures[0] = open("/nonexistent/kinst-test", O_RDONLY) < 0 ? errno : 0;
  }
  for (int i = 0; i < 5; ++i) {
    failures[1] = read(-1, &byte, 1) < 0 ? errno : 0;
  }
  for (int i = 0; i < 3; ++i) {
    failures[2] = access("/dev/null/x", R_OK) < 0 ? errno : 0;
  }
  printf("openat %d 7\nread %d 5\naccess %d 3\n", failures[0], failures[1],
         failures[2]);
  return 0;
}

static int write_lengths(void) {
  char bytes[40];
  memset(bytes, 'x', sizeof bytes);
  const int file = open("/dev/null", O_WRONLY);
  for (size_t length = 1; length <= sizeof bytes; ++length) {
    if (write(file, bytes, length) != (ssize_t)length) {
      return 1;
    }
  }
  return 0;
}

static int sleep_often(void) {
  const struct timespec wanted = {.tv_nsec = 2000000};
  unsigned long long sum = 0;
  for (int i = 0; i < 50; ++i) {
    const unsigned long long begin = nanoseconds(CLOCK_MONOTONIC);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &wanted, NULL);
    sum += nanoseconds(CLOCK_MONOTONIC) - begin;
  }
  printf("50 %llu\n", sum);
  return 0;
}

static int send_signals(void) {
  signal(SIGUSR1, SIG_IGN);
  for (int i = 0; i < 11; ++i) {
    kill(getpid(), SIGUSR1);
  }
  return 0;
}

static volatile unsigned long sink;

// The clock is asked elsewhere, so that the time is spent here.
__attribute__((noinline)) void spin(void) {
  for (unsigned long i = 0; i < 20000000; ++i) {
    sink = sink * 31 + i;
  }
}

static int until_a_second(void (*work)(void)) {
  while (nanoseconds(CLOCK_PROCESS_CPUTIME_ID) < 1000000000ULL) {
    work();
  }
  return 0;
}

static void read_zeros(void) {
  static char bytes[1 << 20];
  const int file = open("/dev/zero", O_RDONLY);
  for (int i = 0; i < 100 && read(file, bytes, sizeof bytes) > 0; ++i) {
  }
  close(file);
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "calls") == 0) {
    return make_calls();
  }
  if (strcmp(what, "lengths") == 0) {
    return write_lengths();
  }
  if (strcmp(what, "sleeps") == 0) {
    return sleep_often();
  }
  if (strcmp(what, "signals") == 0) {
    return send_signals();
  }
  if (strcmp(what, "spin") == 0) {
    return until_a_second(spin);
  }
  if (strcmp(what, "zeros") == 0) {
    return until_a_second(read_zeros);
  }
  return 2;
}
