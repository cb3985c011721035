#include "command/options/usage.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "command/options/option_table.h"

namespace kinst::command {
namespace {

TEST(Usage, FitsAScreenAndSpeaksOfTheCommandByItsName) {
  const std::string text = usage("dtrace");
  EXPECT_LE(std::ranges::count(text, '\n'), 24);
  EXPECT_EQ(text.find("{0}"), std::string::npos);
  EXPECT_TRUE(text.starts_with("Usage: dtrace "));
  std::size_t longest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  EXPECT_LE(longest, 90U);
}

TEST(Usage, ShowsEachOptionButThoseForTheGuestAndThoseRefused) {
  const std::string text = usage("kinst");
  for (const option::Row& row : option::rows()) {
    const std::string spelled = option::spelled(row);
    const bool is_hidden = spelled == "--html-source" ||
                           spelled == "--output-descriptor" || spelled == "-a" ||
                           spelled == "-G" || spelled == "-3" || spelled == "-6";
    std::size_t shown = 0;
    for (std::size_t at = text.find(spelled); at != std::string::npos;
         at = text.find(spelled, at + 1)) {
      const std::string_view before = std::string_view(text).substr(at - 1, 1);
      const std::string_view behind =
          std::string_view(text).substr(at + spelled.size(), 1);
      shown +=
          std::string_view(" ,[|").find(before) != std::string_view::npos &&
                  std::string_view(" ,:[|\n").find(behind) != std::string_view::npos
              ? 1
              : 0;
    }
    EXPECT_EQ(shown > 0, !is_hidden) << spelled;
  }
}

}  // namespace
}  // namespace kinst::command
