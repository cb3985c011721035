// Whole files, also those of /proc and /sys, whose size is not known beforehand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace kinst {

/// Everything that can be read from the file at `path`.
Result<std::string> read_file(const std::string& path);

/// Everything that can be read from an open file from where it stands on.
/// what: what is read, for the error.
Result<std::string> read_all(int file, std::string_view what);

/// Fills `out` from `offset` on, as far as the file goes; the number of bytes.
/// what: what is read, for the error.
Result<std::size_t> read_at(int file, std::uint64_t offset, std::span<std::byte> out,
                            std::string_view what);

}  // namespace kinst
