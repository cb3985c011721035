// A program of several threads that knows how often it calls step(): for the tests of
// what becomes of tracing when threads end and execute programs.
// usage: threads exec N     calls step(), and a thread that is not the first executes
//                           the program again, N times in all
//        threads first N    the same by the first thread
//                           with THREADS_WAIT set, both begin when a byte is read
//        threads leave N    the first thread ends, another calls step() N times
//        threads run PROGRAM ARGUMENT...   a thread that is not the first executes that
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((noinline, noclone)) int step(int number) {
  __asm__ volatile("" : "+r"(number));
  return number + 1;
}

static void* wait_for_ever(void* nothing) {
  for (;;) {
    pause();
  }
  return nothing;
}

static void* execute(void* what) {
  char** command = what;
  execv(command[0], command);
  _exit(127);
}

static void* walk(void* times) {
  usleep(300000);  // for whoever looks at a process whose first thread has ended
  int number = 0;
  for (int i = 0; i < *(int*)times; ++i) {
    number = step(number);
  }
  printf("%d steps\n", number);
  fflush(stdout);
  exit(0);
}

static void in_another_thread(void* (*function)(void*), void* argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, function, argument) != 0) {
    _exit(126);
  }
}

int main(int argc, char** argv) {
  if (argc < 3) {
    return 2;
  }
  static int times;
  times = atoi(argv[2]);
  if (strcmp(argv[1], "run") == 0) {
    in_another_thread(execute, argv + 2);
    wait_for_ever(NULL);
  }
  if (strcmp(argv[1], "leave") == 0) {
    in_another_thread(walk, &times);
    syscall(SYS_exit, 0);  // as pthread_exit(), which needs libgcc
  }
  if (getenv("THREADS_WAIT") != NULL) {
    char byte;
    if (read(STDIN_FILENO, &byte, 1) < 0) {
      return 1;
    }
    unsetenv("THREADS_WAIT");
  }
  step(times);
  if (times == 0) {
    puts("done");
    return 0;
  }
  char text[16];
  snprintf(text, sizeof text, "%d", times - 1);
  static char* again[4];
  again[0] = argv[0];
  again[1] = argv[1];
  again[2] = text;
  in_another_thread(wait_for_ever, NULL);
  if (strcmp(argv[1], "first") == 0) {
    execute(again);
  }
  in_another_thread(execute, again);
  wait_for_ever(NULL);
}
