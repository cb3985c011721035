#include <sys/mman.h>
#include <unistd.h>

#include <climits>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "native_runtime.h"

namespace kinst::runtime {
namespace {

using Strings = NativeRuntime;
using Substr = NativeRuntime;

int sign(std::int64_t value) {
  return value < 0 ? -1 : static_cast<int>(value > 0);
}

int compared(const std::string& left, const std::string& right) {
  return sign(kinst_compare_strings(address_of(left), address_of(right)));
}

std::string part(const std::string& text, int index, int length = INT_MAX) {
  return text_at(kinst_substr(address_of(text), index, length));
}

std::string joined(const std::string& first, const std::string& second) {
  return text_at(kinst_strjoin(address_of(first), address_of(second)));
}

/// The last bytes of a readable page, with an unreadable one behind.
class PageEnd {
 public:
  explicit PageEnd(const std::string& bytes)
      : page_bytes_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
        pages_(static_cast<char*>(mmap(nullptr, 2 * page_bytes_, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    mprotect(pages_ + page_bytes_, page_bytes_, PROT_NONE);
    place_ = pages_ + page_bytes_ - bytes.size();
    std::memcpy(place_, bytes.data(), bytes.size());
  }
  ~PageEnd() { munmap(pages_, 2 * page_bytes_); }
  PageEnd(const PageEnd&) = delete;
  PageEnd& operator=(const PageEnd&) = delete;
  PageEnd(PageEnd&&) = delete;
  PageEnd& operator=(PageEnd&&) = delete;

  [[nodiscard]] std::uint64_t address() const { return address_of(place_); }

 private:
  std::size_t page_bytes_;
  char* pages_;
  char* place_ = nullptr;
};

TEST_F(Strings, CompareAsStrcmp) {
  const std::string piece(64, 'x');
  const std::vector<std::string> texts = {
      "",     "a",   "ab",        "abcdefgh",  "abcdefghi",   "b",
      "\xff", piece, piece + "a", piece + "b", piece + piece, piece + piece.substr(1)};
  for (const std::string& left : texts) {
    for (const std::string& right : texts) {
      EXPECT_EQ(compared(left, right), sign(std::strcmp(left.c_str(), right.c_str())))
          << left << " with " << right;
    }
  }
}

TEST_F(Strings, CompareNoFurtherThanTheirSize) {
  reset(5);
  EXPECT_EQ(compared("abcdX", "abcdY"), 0);
  EXPECT_EQ(compared("abcX", "abcY"), -1);
}

TEST_F(Strings, CompareUpToTheEndOfMemory) {
  const PageEnd end(std::string("xyz\0", 4));
  const std::string text = "xyz";
  EXPECT_EQ(kinst_compare_strings(end.address(), address_of(text)), 0);
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
}

TEST_F(Strings, CompareNullAsEmpty) {
  const std::string empty;
  const std::string text = "x";
  EXPECT_EQ(kinst_compare_strings(0, 0), 0);
  EXPECT_EQ(kinst_compare_strings(0, address_of(empty)), 0);
  EXPECT_EQ(kinst_compare_strings(address_of(empty), 0), 0);
  EXPECT_LT(kinst_compare_strings(0, address_of(text)), 0);
  EXPECT_GT(kinst_compare_strings(address_of(text), 0), 0);
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
}

TEST_F(Strings, SayWhichOfTwoCannotBeRead) {
  const std::string text = "x";
  kinst_compare_strings(address_of(text), bad_address);
  EXPECT_EQ(fault(), KINST_FAULT_BADADDR);
  EXPECT_EQ(fault_address(), bad_address);
}

TEST_F(Strings, AreMadeOfArraysWithAndWithoutAZero) {
  const std::string eight = "abcdefgh";
  EXPECT_EQ(text_at(kinst_string_of_array(address_of(eight), 5)), "abcde");
  EXPECT_EQ(text_at(kinst_string_of_array(address_of(eight), 20)), "abcdefgh");
  EXPECT_EQ(text_at(kinst_string_of_array(address_of(eight), 0)), "");
  const PageEnd end("xyz");
  EXPECT_EQ(text_at(kinst_string_of_array(end.address(), 3)), "xyz");
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
}

TEST_F(Strings, AreCutOffWhereTheUserSays) {
  const std::string text = "Delay in ns";
  EXPECT_EQ(text_at(kinst_copyinstr(address_of(text), 8)), "Delay in");
  EXPECT_EQ(text_at(kinst_copyinstr(address_of(text), 1000)), text);
  EXPECT_EQ(text_at(kinst_copyinstr(address_of(text), 1)), "D");
  EXPECT_EQ(text_at(kinst_copyinstr(address_of(text), 0)), "");
  EXPECT_EQ(kinst_copyinstr(bad_address, 8), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_BADADDR);
}

TEST_F(Strings, AreMadeOfAProcessesArguments) {
  const std::string words("cc\0-o\0x y\0\0", 11);
  EXPECT_EQ(text_at(kinst_copyinwords(address_of(words), words.size())), "cc -o x y");
  EXPECT_EQ(text_at(kinst_copyinwords(address_of(words), 4)), "cc -");
  EXPECT_EQ(text_at(kinst_copyinwords(address_of(words), 0)), "");
  const std::string many(200, 'a');
  EXPECT_EQ(text_at(kinst_copyinwords(address_of(many), many.size())),
            std::string(79, 'a'));
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
  EXPECT_EQ(kinst_copyinwords(bad_address, 8), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_BADADDR);
}

TEST_F(Strings, HaveALength) {
  EXPECT_EQ(kinst_strlen(address_of(std::string(""))), 0U);
  EXPECT_EQ(kinst_strlen(address_of(std::string("abc"))), 3U);
  EXPECT_EQ(kinst_strlen(address_of(std::string(300, 'x'))), 255U);
  EXPECT_EQ(kinst_strlen(0), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_BADADDR);
}

TEST_F(Strings, AreMeasuredWithoutScratch) {
  reset(256, 8);
  kinst_alloca(8);
  EXPECT_EQ(kinst_strlen(address_of(std::string("abc"))), 3U);
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
}

TEST_F(Strings, AreJoinedUpToTheirSize) {
  EXPECT_EQ(joined("foo", "baz"), "foobaz");
  EXPECT_EQ(joined("", ""), "");
  reset(6);
  EXPECT_EQ(joined("123", "abcdefgh"), "123ab");
  EXPECT_EQ(joined("12345", "abc"), "12345");
  EXPECT_EQ(joined("1234567", "abc"), "12345");
  EXPECT_EQ(joined("", "1234567"), "12345");
}

TEST_F(Strings, OfTheLargestSizeAreJoined) {
  reset(KINST_STRING_MAX);
  const std::string half(5000, 'x');
  EXPECT_EQ(joined(half, half), std::string(KINST_STRING_MAX - 1, 'x'));
}

TEST_F(Strings, TakeNoMoreScratchThanTheirLength) {
  kinst_alloca(KINST_SCRATCH_BYTES - 32);
  EXPECT_EQ(joined("abcdefg", "hijklmn"), "abcdefghijklmn");
  EXPECT_EQ(joined("abcdefg", "hijklmn"), "abcdefghijklmn");
  EXPECT_EQ(fault(), KINST_FAULT_NONE);
  EXPECT_EQ(joined("", ""), "(none)");
  EXPECT_EQ(fault(), KINST_FAULT_NOSCRATCH);
}

TEST_F(Strings, AreNotWrittenOverTheEndOfTheScratch) {
  kinst_alloca(KINST_SCRATCH_BYTES - 8);
  EXPECT_EQ(joined("abcd", "efghi"), "(none)");
  EXPECT_EQ(fault(), KINST_FAULT_NOSCRATCH);
}

TEST_F(Substr, CountsFromEitherEnd) {
  EXPECT_EQ(part("abcdefghijklmnop", 3), "defghijklmnop");
  EXPECT_EQ(part("abcdefghijklmnop", -10), "ghijklmnop");
  EXPECT_EQ(part("abcdefghijklmnop", -10, 3), "ghi");
  EXPECT_EQ(part("abcdefghijklmnop", 2, -10), "cdef");
  EXPECT_EQ(part("abcdefghijklmnop", 2, 0), "");
  EXPECT_EQ(part("foobarbazbop", -10, -5), "obarb");
}

TEST_F(Substr, TakesWhatThereIs) {
  EXPECT_EQ(part("abcde", -10), "abcde");
  EXPECT_EQ(part("abcde", -7, 3), "a");
  EXPECT_EQ(part("abcde", -8, 3), "");
  EXPECT_EQ(part("abcde", 3, 400), "de");
  EXPECT_EQ(part("abcde", 5), "");
  EXPECT_EQ(part("abcde", 12345678), "");
  EXPECT_EQ(part("abcde", 3, -20), "");
  EXPECT_EQ(part("abcde", 400, -1), "");
  EXPECT_EQ(part("", 0), "");
  EXPECT_EQ(part("", -1, 1), "");
}

TEST_F(Substr, FailsForNoString) {
  EXPECT_EQ(kinst_substr(0, 1, INT_MAX), 0U);
  EXPECT_EQ(fault(), KINST_FAULT_BADADDR);
}

}  // namespace
}  // namespace kinst::runtime
