// The aggregations of a run, in the kernel's maps.
#pragma once

#include <vector>

#include "bpf/load/load.h"
#include "codegen/plan/storage.h"
#include "consumer/values/aggregations.h"

namespace kinst::run {

/// Reads and changes the maps. References the loaded object and the program's storage,
/// which must outlive it.
class KernelAggregations final : public consumer::AggregationMaps {
 public:
  KernelAggregations(bpf::Object& object, const codegen::Storage& storage)
      : object_(&object), storage_(&storage) {}

  Result<std::vector<Entry>> read(std::uint32_t aggregation) override;
  Result<void> clear(std::uint32_t aggregation,
                     std::span<const std::byte> key) override;
  Result<void> remove(std::uint32_t aggregation,
                      std::span<const std::byte> key) override;

 private:
  bpf::Object* object_;
  const codegen::Storage* storage_;
};

}  // namespace kinst::run
