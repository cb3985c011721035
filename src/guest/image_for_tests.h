// A kernel image's beginning, made by hand.
#pragma once

#include <string>

namespace kinst::guest {

/// The first kilobyte of a 64-bit image of release 6.1.0-test, for x86-64.
inline std::string image_head() {
  std::string head(1024, '\0');
  head[0x1f1] = 1;  // sector behind the first: there is nothing else
  head.replace(0x1fe, 2, "\x55\xaa");
  head.replace(0x202, 4, "HdrS");
  head[0x20e] = 0x70;  // the release stands at 0x270
  head[0x236] = 1;
  head.replace(0x270, 17, "6.1.0-test (them)");
  return head;
}

}  // namespace kinst::guest
