// A program that does something before its main(), which the environment variable
// CONSTRUCTOR says: "exit" ends with status 3, "crash" by a signal, "urgent" gets the
// signal SIGURG three times, which main() prints.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t urgent;

static void count(int signal) {
  (void)signal;
  ++urgent;
}

__attribute__((constructor)) static void before(void) {
  const char* what = getenv("CONSTRUCTOR");
  if (what == NULL) {
    return;
  }
  if (strcmp(what, "exit") == 0) {
    _exit(3);
  }
  if (strcmp(what, "crash") == 0) {
    raise(SIGSEGV);
  }
  signal(SIGURG, count);
  for (int i = 0; i < 3; ++i) {
    raise(SIGURG);
  }
}

int main(void) {
  printf("urgent %d\n", (int)urgent);
  return 0;
}
