// Exceptions through several frames, with destructors, rethrown, and caught by type.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

int destroyed = 0;

struct Guard {
  int number;
  explicit Guard(int n) : number(n) {}
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() { destroyed += number; }
};

[[gnu::noinline]] int inner(int n) {
  const Guard guard(n);
  if (n % 3 == 0) {
    throw std::runtime_error("three " + std::to_string(n));
  }
  if (n % 5 == 0) {
    throw n;
  }
  return n * 2;
}

[[gnu::noinline]] int middle(int n) {
  const Guard guard(1);
  try {
    return inner(n) + 1;
  } catch (int number) {
    if (number % 2 == 0) {
      throw;
    }
    return -number;
  }
}

[[gnu::noinline]] int outer(int n) {
  std::vector<std::string> words(static_cast<std::size_t>(n % 7), "word");
  try {
    return middle(n) + static_cast<int>(words.size());
  } catch (const std::exception& error) {
    return static_cast<int>(std::string(error.what()).size());
  } catch (...) {
    return 1000;
  }
}

}  // namespace

int main() {
  int sum = 0;
  for (int n = 0; n < 200; ++n) {
    sum = sum * 31 + outer(n);
  }
  std::printf("%d %d\n", sum, destroyed);
  return sum & 0x3f;
}
