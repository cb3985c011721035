// What a compiler makes of C: switches by tables, computed gotos, alignment within
// loops, long jumps, signals, recursion, varargs, floating point and alloca.
#include <alloca.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf place;
static volatile sig_atomic_t caught;

static void on_signal(int number) {
  caught += number;
}

__attribute__((noinline)) static int by_table(int kind, int value) {
  switch (kind) {
    case 0:
      return value + 1;
    case 1:
      return value * 3;
    case 2:
      return value ^ 0x55;
    case 3:
      return -value;
    case 4:
      return value / 3;
    case 5:
      return value << 2;
    case 6:
      return value % 7;
    default:
      return value >> 1;
  }
}

__attribute__((noinline)) static uint64_t interpret(const unsigned char* code) {
  static const void* const labels[] = {&&add, &&mul, &&xor_, &&end};
  uint64_t value = 1;
#define NEXT goto* labels[*code++ & 3]
  NEXT;
add:
  value += 7;
  NEXT;
mul:
  value *= 13;
  NEXT;
xor_:
  value ^= value >> 3;
  NEXT;
end:
  return value;
}

__attribute__((noinline)) static double curve(double x, int steps) {
  double sum = 0;
  for (int i = 1; i <= steps; ++i) {
    sum += sin(x * i) / i + sqrt(x + i);
  }
  return sum;
}

__attribute__((noinline)) static int sum_all(int count, ...) {
  va_list arguments;
  va_start(arguments, count);
  int sum = 0;
  while (count-- > 0) {
    sum += va_arg(arguments, int);
  }
  va_end(arguments);
  return sum;
}

__attribute__((noinline)) static void leave(int n) {
  if (n == 0) {
    longjmp(place, 5);
  }
  leave(n - 1);
}

__attribute__((noinline)) static unsigned checksum(const unsigned char* bytes,
                                                   size_t n) {
  unsigned a = 1;
  unsigned b = 0;
  for (size_t i = 0; i < n; ++i) {
    a = (a + bytes[i]) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

int main(void) {
  signal(SIGUSR1, on_signal);
  int value = 1;
  for (int i = 0; i < 300; ++i) {
    value = by_table(i % 8, value);
  }
  unsigned char code[200];
  for (size_t i = 0; i + 1 < sizeof code; ++i) {
    code[i] = (unsigned char)(i % 3);
  }
  code[sizeof code - 1] = 3;
  volatile int jumped = 0;
  if (setjmp(place) == 0) {
    leave(80);
  } else {
    jumped = 1;
  }
  for (int i = 0; i < 3; ++i) {
    raise(SIGUSR1);
  }
  unsigned char* bytes = alloca(1000);
  memset(bytes, 7, 1000);
  printf("%d %lx %.9f %d %d %d %x\n", value, (unsigned long)interpret(code),
         curve(0.3, 40), sum_all(5, 1, 2, 3, 4, 5), jumped, (int)caught,
         checksum(bytes, 1000));
  return value & 0x1f;
}
