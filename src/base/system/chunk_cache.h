// A cache for a large source of which little is needed. The source is read in pieces,
// each piece once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "base/result.h"

namespace kinst {

/// Keeps every piece that it has read.
class ChunkCache {
 public:
  /// Fills `out` from `offset` on.
  using ReadPiece =
      std::function<Result<void>(std::uint64_t offset, std::span<std::byte> out)>;

  /// piece_bytes: how much is read at once; pieces begin at its multiples.
  ChunkCache(std::size_t piece_bytes, ReadPiece read)
      : piece_bytes_(piece_bytes), read_(std::move(read)) {}

  /// Fills `out` from `offset` on. Errors: those of reading a piece.
  Result<void> read(std::uint64_t offset, std::span<std::byte> out);

  /// The byte at `offset`; zero where it cannot be read.
  std::byte at(std::uint64_t offset);

  /// The bytes from `offset` to the end of the piece that contains it: at least one
  /// byte; none if the piece cannot be read. They stay valid as long as the cache.
  std::span<const std::byte> rest_of_piece(std::uint64_t offset);

 private:
  using Piece = std::vector<std::byte>;
  Result<const Piece*> piece(std::uint64_t number);

  std::size_t piece_bytes_;
  ReadPiece read_;
  std::map<std::uint64_t, Piece> pieces_;
  // The piece that was asked for last, as the next byte is often in it.
  std::uint64_t last_number_ = 0;
  const Piece* last_ = nullptr;
};

}  // namespace kinst
