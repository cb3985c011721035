// Records that are not printed before the run is over: bufpolicy=fill and ring.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "session/settings.h"

namespace kinst::session {

/// Keeps copies of records, with policy Ring the newest that have room together, with
/// Fill the oldest. With Switch it keeps none: each goes on at once.
class HeldRecords {
 public:
  using Take = std::function<void(std::span<const std::byte>)>;

  /// take: where records go in the end. room_bytes: of all of them together.
  HeldRecords(BufferPolicy policy, std::uint64_t room_bytes, Take take)
      : policy_(policy), room_bytes_(room_bytes), take_(std::move(take)) {}

  void add(std::span<const std::byte> record);

  /// With Fill: a record had no room. Nothing is kept any more but what end_of_run()
  /// lets in.
  [[nodiscard]] bool is_full() const { return is_full_; }

  /// What comes from here on, END's records, is kept whatever room it needs.
  void end_of_run() { is_over_ = true; }

  /// Hands all that is held on, oldest first.
  void release();

 private:
  BufferPolicy policy_;
  std::uint64_t room_bytes_;
  Take take_;
  std::deque<std::vector<std::byte>> records_;
  std::uint64_t held_bytes_ = 0;
  bool is_full_ = false;
  bool is_over_ = false;
};

}  // namespace kinst::session
