#include "bpf/code/function_builder.h"

namespace kinst::bpf {

void FunctionBuilder::add(Item item) {
  function_.items.push_back(std::move(item));
}

}  // namespace kinst::bpf
