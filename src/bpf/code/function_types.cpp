#include "bpf/code/function_types.h"

#include <bpf/btf.h>
#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <span>

namespace kinst::bpf {

void FunctionTypes::Freer::operator()(btf* types) const {
  btf__free(types);
}

FunctionTypes::FunctionTypes() : types_(btf__new_empty()) {
  integer_ = btf__add_int(types_.get(), "unsigned long", sizeof(std::uint64_t), 0);
}
FunctionTypes::FunctionTypes(FunctionTypes&&) noexcept = default;
FunctionTypes& FunctionTypes::operator=(FunctionTypes&&) noexcept = default;
FunctionTypes::~FunctionTypes() = default;

Result<std::uint32_t> FunctionTypes::add(const AssembledFunction& function) {
  const bool alone = function.verification == Verification::OnItsOwn;
  const int prototype = btf__add_func_proto(types_.get(), integer_);
  // The kernel asks for the parameters of functions verified on their own only; of the
  // others they may be pointers to anything, and the verifier follows those itself.
  for (std::uint32_t i = 0; alone && i < function.parameter_count; ++i) {
    btf__add_func_param(types_.get(), fmt::format("parameter{}", i).c_str(), integer_);
  }
  std::string name = function.name;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '_');
  const int id = btf__add_func(types_.get(), name.c_str(),
                               alone ? BTF_FUNC_GLOBAL : BTF_FUNC_STATIC, prototype);
  if (id < 0) {
    return error("cannot make a type for BPF function {}: {}", name,
                 std::strerror(-id));
  }
  return static_cast<std::uint32_t>(id);
}

std::vector<std::byte> FunctionTypes::bytes() const {
  std::uint32_t size = 0;
  const void* data = btf__raw_data(types_.get(), &size);
  if (data == nullptr) {
    return {};
  }
  const std::span all(static_cast<const std::byte*>(data), size);
  return {all.begin(), all.end()};
}

}  // namespace kinst::bpf
