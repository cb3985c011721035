/* What the unit tests look up by line: keep the lines where they are. */
static inline __attribute__((always_inline)) int twice(int number) {
  int doubled = number + number;
  return doubled ^ 5;
}

__attribute__((noinline)) long fixture_sum(const int* numbers, long count) {
  long sum = 0;
  for (long i = 0; i < count; ++i) {
    sum += twice(numbers[i]);
  }
  return sum;
}

__attribute__((noinline)) int fixture_single(int number) {
  return twice(number) + 1;
}
