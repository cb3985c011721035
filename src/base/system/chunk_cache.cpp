#include "base/system/chunk_cache.h"

#include <algorithm>
#include <utility>

namespace kinst {

// Pieces of a map stay where they are, also when the cache is moved.
Result<const ChunkCache::Piece*> ChunkCache::piece(std::uint64_t number) {
  if (last_ != nullptr && last_number_ == number) {
    return last_;
  }
  auto found = pieces_.find(number);
  if (found == pieces_.end()) {
    Piece bytes(piece_bytes_);
    KINST_CHECK(read_(number * piece_bytes_, bytes));
    found = pieces_.emplace(number, std::move(bytes)).first;
  }
  last_number_ = number;
  last_ = &found->second;
  return last_;
}

Result<void> ChunkCache::read(std::uint64_t offset, std::span<std::byte> out) {
  while (!out.empty()) {
    const Piece* from = KINST_TRY(piece(offset / piece_bytes_));
    const std::size_t skipped = offset % piece_bytes_;
    const std::size_t count = std::min(out.size(), piece_bytes_ - skipped);
    std::copy_n(from->begin() + static_cast<std::ptrdiff_t>(skipped), count,
                out.begin());
    out = out.subspan(count);
    offset += count;
  }
  return {};
}

std::byte ChunkCache::at(std::uint64_t offset) {
  const auto rest = rest_of_piece(offset);
  return rest.empty() ? std::byte{} : rest.front();
}

std::span<const std::byte> ChunkCache::rest_of_piece(std::uint64_t offset) {
  const auto from = piece(offset / piece_bytes_);
  return from ? std::span(**from).subspan(offset % piece_bytes_)
              : std::span<const std::byte>();
}

}  // namespace kinst
