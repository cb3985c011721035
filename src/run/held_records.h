// Holds records back until the run is over, for bufpolicy=fill and bufpolicy=ring.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "run/run_options.h"

namespace kinst::run {

/// Keeps copies of records, as many as have room. Policy Ring keeps the newest records
/// and Fill the oldest. Policy Switch keeps nothing: each record is handed on at once.
class HeldRecords {
 public:
  using Take = std::function<void(std::span<const std::byte>)>;

  /// take: receives the records in the end. room_bytes: the room for all records
  /// together.
  HeldRecords(BufferPolicy policy, std::uint64_t room_bytes, Take take)
      : policy_(policy), room_bytes_(room_bytes), take_(std::move(take)) {}

  void add(std::span<const std::byte> record);

  /// With Fill: whether a record had no room. From then on no record is kept until
  /// end_of_run() is called.
  [[nodiscard]] bool is_full() const { return is_full_; }

  /// Marks that all following records are END's. They are kept whatever room they need.
  void end_of_run() { is_over_ = true; }

  /// Hands on all records that are kept, oldest first.
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

}  // namespace kinst::run
