// A program whose functions are left in every way that there is, and that knows how
// often each of them returned: for the tests of pid's `return`. It prints a line
// "NAME RETURNS RESULT-OF-THE-LAST" for each function.
#include <ucontext.h>

#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#define APART extern "C" __attribute__((noinline, noclone, noipa))

static volatile long sink;

// Ten thousand deep, each with a frame of its own.
APART long recurse(long depth) {
  volatile long local = depth;
  return depth == 0 ? 0 : recurse(depth - 1) + (local == depth ? 1 : 0);
}

// Returns at two instructions.
APART long two_ways(long value) {
  if (value % 2 == 0) {
    return value * 3;
  }
  sink = sink + value;
  return value;
}

APART long throw_if(long value) {
  if (value % 3 == 0) {
    throw std::runtime_error("three");
  }
  return value;
}

APART long pass_on(long value) {
  const long result = throw_if(value);
  sink = sink + result;
  return result + 1;
}

APART long catch_it(long value) {
  try {
    return pass_on(value);
  } catch (const std::runtime_error&) {
    return -1;
  }
}

static std::jmp_buf place;

APART void jump_out(long value) {
  sink = sink + value;
  std::longjmp(place, static_cast<int>(value));
}

APART long set_and_jump(long value) {
  if (setjmp(place) == 0) {
    jump_out(value);
  }
  return value;
}

static ucontext_t main_context;
static ucontext_t other_context;

APART void other_stack() {
  for (;;) {
    sink = sink + 1;
    swapcontext(&other_context, &main_context);
  }
}

APART long visit() {
  swapcontext(&main_context, &other_context);
  return sink;
}

APART long callee(long value) {
  return value + 7;
}

// Ends by a jump to callee().
APART long tail_call(long value) {
  return callee(value * 2);
}

// Is nothing but that jump.
APART long one_jump(long value) {
  return callee(value);
}

static long (*volatile pointer)(long) = callee;

// Ends by a jump through a register or memory.
APART long tail_call_by_pointer(long value) {
  return pointer(value * 3);
}

// Goes by a table of places in it.
APART long by_table(long value, long other) {
  switch (value) {
    case 0:
      return other * 3;
    case 1:
      return other / 5;
    case 2:
      return other ^ 99;
    case 3:
      return sink - other;
    case 4:
      return other << 3;
    case 5:
      return ~other;
    default:
      return 12;
  }
}

// What is rare stands apart, as NAME.cold, and comes back or returns from there.
APART __attribute__((cold)) long rare(long value);
APART long rare(long value) {
  sink = sink + value;
  return value;
}
APART long with_cold_part(long value) {
  if (__builtin_expect(value == 77, 0)) {
    sink = sink + rare(value) + rare(value + 1);
    return rare(sink) * 5;
  }
  return value + sink % 2;
}

int main() {
  const long depth = recurse(10000);
  std::printf("recurse 10001 %ld\n", depth);
  long last = 0;
  for (long i = 0; i < 1000; ++i) {
    last = two_ways(i);
  }
  std::printf("two_ways 1000 %ld\n", last);
  long caught = 0;
  for (long i = 0; i < 300; ++i) {
    last = catch_it(i);
    caught += last == -1;
  }
  std::printf("throw_if %ld %ld\n", 300 - caught, last - 1);
  std::printf("pass_on %ld %ld\n", 300 - caught, last);
  std::printf("catch_it 300 %ld\n", last);
  for (long i = 1; i <= 50; ++i) {
    last = set_and_jump(i);
  }
  std::printf("set_and_jump 50 %ld\n", last);
  getcontext(&other_context);
  other_context.uc_stack.ss_sp = std::malloc(65536);
  other_context.uc_stack.ss_size = 65536;
  makecontext(&other_context, other_stack, 0);
  for (int i = 0; i < 40; ++i) {
    last = visit();
  }
  std::printf("visit 40 %ld\n", last);
  for (long i = 0; i < 30; ++i) {
    sink = tail_call(i) + tail_call_by_pointer(i) + one_jump(i);
  }
  // The callers' results are not known yet where they jump.
  std::printf(
      "tail_call 30 0\ntail_call_by_pointer 30 0\none_jump 30 0\ncallee 90 %ld\n",
      29L + 7);
  for (long i = 0; i < 600; ++i) {
    last = by_table(i % 8, i);
  }
  std::printf("by_table 600 %ld\n", last);
  for (long i = 0; i < 100; ++i) {
    last = with_cold_part(i);
  }
  std::printf("with_cold_part 100 %ld\n", last);
}
