// The result of a function that can fail: a value, or an error sentence.
#pragma once

#include <fmt/core.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace kinst {

/// What was attempted, on what, and why it failed, as one sentence for the user.
struct Error {
  std::string message;

  bool operator==(const Error&) const = default;
};

/// A value, or the reason why there is none. To be std::expected once both compilers
/// have it.
template <typename T>
using Result = tl::expected<T, Error>;

/// An error from a formatted sentence: `return error("cannot read {}", path);`
template <typename... Arguments>
[[nodiscard]] tl::unexpected<Error> error(fmt::format_string<Arguments...> format,
                                          Arguments&&... arguments) {
  return tl::unexpected(
      Error{fmt::format(format, std::forward<Arguments>(arguments)...)});
}

/// An error from errno: "cannot ACT: CAUSE". `number` is errno's value at the failure.
[[nodiscard]] inline tl::unexpected<Error> system_error(std::string_view act,
                                                        int number) {
  return error("cannot {}: {}", act, std::strerror(number));
}

/// The error with the act that failed because of it in front: "ACT: MESSAGE".
[[nodiscard]] inline Error in_context(std::string_view act, const Error& cause) {
  return Error{fmt::format("{}: {}", act, cause.message)};
}

}  // namespace kinst

// The value of a Result, or a return of its error from the function it stands in. A
// statement expression is the only way to have both in one word, as in SerenityOS's
// TRY.
#define KINST_TRY(expression)                                     \
  (__extension__({                                                \
    auto&& kinst_try_result = (expression);                       \
    if (!kinst_try_result) {                                      \
      return tl::unexpected(std::move(kinst_try_result).error()); \
    }                                                             \
    std::move(kinst_try_result).value();                          \
  }))

// The same for a Result<void>, where there is no value to take.
#define KINST_CHECK(expression)                                     \
  do {                                                              \
    auto&& kinst_check_result = (expression);                       \
    if (!kinst_check_result) {                                      \
      return tl::unexpected(std::move(kinst_check_result).error()); \
    }                                                               \
  } while (false)
