// Loads libraries while it runs and calls them a known number of times: for the tests
// of probes in what is loaded later.
// usage: later load ROUNDS LIBRARY...   each round loads each library, has it work 3
//                           times, and unloads it
//        later thread ROUNDS LIBRARY... the same in a thread that blocks all signals
//                           with THREADS_WAIT set, it begins when a byte is read,
//                           with LATER_WAITS, it unloads when one is read
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char** arguments;
static long sum;

__attribute__((noinline, noclone)) long own_work(long value) {
  __asm__ volatile("" : "+r"(value));
  return value + 1;
}

static void* work(void* nothing) {
  const int rounds = atoi(arguments[2]);
  for (int round = 0; round < rounds; ++round) {
    for (char** library = arguments + 3; *library != NULL; ++library) {
      void* loaded = dlopen(*library, RTLD_NOW);
      if (loaded == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
      }
      long (*later_work)(long) = (long (*)(long))dlsym(loaded, "later_work");
      for (long i = 0; i < 3; ++i) {
        sum += later_work(i);
      }
      char byte;
      if (getenv("LATER_WAITS") != NULL && read(STDIN_FILENO, &byte, 1) < 0) {
        exit(1);
      }
      dlclose(loaded);
    }
    sum = own_work(sum);
  }
  return nothing;
}

int main(int argc, char** argv) {
  if (argc < 4) {
    return 2;
  }
  arguments = argv;
  if (getenv("THREADS_WAIT") != NULL) {
    char byte;
    if (read(STDIN_FILENO, &byte, 1) < 0) {
      return 1;
    }
  }
  if (strcmp(argv[1], "thread") == 0) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
  } else {
    work(NULL);
  }
  printf("sum %ld\n", sum);
  return 0;
}
