// The kernel's ring buffers cannot overwrite records that nobody has read. So records
// are read as always, and old records make room here.
#include "run/held_records.h"

namespace kinst::run {

void HeldRecords::add(std::span<const std::byte> record) {
  if (policy_ == BufferPolicy::Switch) {
    take_(record);
    return;
  }
  const bool has_room = held_bytes_ + record.size() <= room_bytes_;
  if (policy_ == BufferPolicy::Fill && !is_over_ && (is_full_ || !has_room)) {
    is_full_ = true;
    return;
  }
  records_.emplace_back(record.begin(), record.end());
  held_bytes_ += record.size();
  while (policy_ == BufferPolicy::Ring && held_bytes_ > room_bytes_ &&
         records_.size() > 1) {
    held_bytes_ -= records_.front().size();
    records_.pop_front();
  }
}

void HeldRecords::release() {
  for (const std::vector<std::byte>& record : records_) {
    take_(record);
  }
  records_.clear();
  held_bytes_ = 0;
}

}  // namespace kinst::run
