// A library that is loaded later. Its constructor calls later_begin(). It is built
// twice, with the function that does the work under another name inside.
#ifndef INNER
#define INNER inner_one
#endif

#define APART __attribute__((noinline, noclone))

APART long INNER(long value) {
  __asm__ volatile("" : "+r"(value));
  return value * 2;
}

APART void later_begin(void) {
  __asm__ volatile("");
}

__attribute__((constructor)) static void construct(void) {
  later_begin();
  __asm__ volatile("");
}

APART long later_work(long value) {
  const long result = INNER(value) + 1;
  __asm__ volatile("");
  return result;
}
