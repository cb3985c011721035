// A program with known numbers: for the tests that trace it.
// usage: workload ROUNDS    prints what it did: how often the parts of work() ran, and
//                           what the C library computed
//        workload write     writes a line from report(), for say()
//        workload narrow    makes system calls as a 32-bit program does; fails where
//                           the kernel has none
//        workload tick      calls tick() for ever, and counts the calls on SIGUSR1
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned long iterations;
static unsigned long multiples;

// Its instructions run once a call, once an iteration, or once for each multiple of 3.
__attribute__((noinline)) unsigned long work(unsigned long count) {
  unsigned long sum = 0;
  for (unsigned long i = 0; i < count; ++i) {
    ++iterations;
    if (i % 3 == 0) {
      ++multiples;
      sum += i * i;
    }
    __asm__ volatile("" : "+r"(sum));
  }
  return sum;
}

static unsigned long hash(unsigned long seed, const void* bytes, size_t count) {
  const unsigned char* at = bytes;
  for (size_t i = 0; i < count; ++i) {
    seed = (seed ^ at[i]) * 1099511628211UL;
  }
  return seed;
}

// malloc, memcpy, memmove and printf's family, with every size that takes another path.
__attribute__((noinline)) unsigned long use_library(unsigned long rounds) {
  unsigned long result = 14695981039346656037UL;
  for (unsigned long round = 1; round <= rounds; ++round) {
    for (size_t size = 1; size < 70000; size = size * 3 + round) {
      char* from = malloc(size + 64);
      char* to = calloc(1, size + 64);
      for (size_t i = 0; i < size; ++i) {
        from[i] = (char)(i * round + size);
      }
      memcpy(to, from, size);
      memmove(to + 3, to, size);
      result = hash(result, to, size);
      char text[128];
      const int length =
          snprintf(text, sizeof text, "%zu %-8lx|%+.3f|%s|%5c", size, result,
                   (double)size / 7, size % 2 ? "odd" : "even", (int)('a' + size % 26));
      result = hash(result, text, (size_t)length);
      free(from);
      free(to);
    }
  }
  return result;
}

static volatile sig_atomic_t asked;
static void ask(int signal) {
  asked = signal;
}
static volatile unsigned long ticks;

__attribute__((noinline)) unsigned long tick(unsigned long before) {
  __asm__ volatile("" : "+r"(before));
  return before + 1;
}

__attribute__((noinline)) long say(const char* text) {
  const long written = write(STDOUT_FILENO, text, strlen(text));
  __asm__ volatile("" ::: "memory");  // the call is no jump
  return written;
}

__attribute__((noinline)) long report(void) {
  const long written = say("a line\n");
  __asm__ volatile("" ::: "memory");
  return written;
}

// A hundred calls of getpid() by the gate of 32-bit programs, where its number is that
// of writev() elsewhere; and seven of getppid().
static int call_by_both_gates(void) {
  long result = 0;
  for (int i = 0; i < 100; ++i) {
    result = 20;
    __asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
  }
  for (int i = 0; i < 7; ++i) {
    getppid();
  }
  return result == getpid() ? 0 : 1;
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "tick") == 0) {
    signal(SIGUSR1, ask);
    while (!asked) {
      ticks = tick(ticks);
      usleep(500);
    }
    printf("%lu ticks, in order\n", ticks);
    return 0;
  }
  if (argc > 1 && strcmp(argv[1], "write") == 0) {
    return report() == 7 ? 0 : 1;
  }
  if (argc > 1 && strcmp(argv[1], "narrow") == 0) {
    return call_by_both_gates();
  }
  const unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 10;
  unsigned long sum = 0;
  for (unsigned long round = 0; round < rounds; ++round) {
    sum += work(round);
  }
  printf("%lu calls, %lu iterations, %lu multiples, sum %lu\n", rounds, iterations,
         multiples, sum);
  printf("library %lx\n", use_library(rounds < 5 ? rounds : 5));
  return 0;
}
