// A program that does not come to its main(), as one whose loader waits for something.
#include <unistd.h>

__attribute__((constructor)) static void wait_for_ever(void) {
  for (;;) {
    pause();
  }
}

int main(void) {
  return 0;
}
