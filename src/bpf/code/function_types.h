// The type information (BTF) that the kernel requires of a program with subprograms. It
// decides which subprograms are verified by themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "bpf/code/assembled_function.h"

struct btf;

namespace kinst::bpf {

/// Collects a type for each function of an object; one BTF serves all its programs.
class FunctionTypes {
 public:
  FunctionTypes();
  FunctionTypes(FunctionTypes&& other) noexcept;
  FunctionTypes& operator=(FunctionTypes&& other) noexcept;
  FunctionTypes(const FunctionTypes&) = delete;
  FunctionTypes& operator=(const FunctionTypes&) = delete;
  ~FunctionTypes();

  /// Adds a function and gives its type's number. Characters of the name that BTF does
  /// not allow become underscores.
  Result<std::uint32_t> add(const AssembledFunction& function);

  /// The whole as BPF_BTF_LOAD takes it.
  [[nodiscard]] std::vector<std::byte> bytes() const;

 private:
  struct Freer {
    void operator()(btf* types) const;
  };
  std::unique_ptr<btf, Freer> types_;
  int integer_ = 0;  ///< the type of every parameter and result
};

}  // namespace kinst::bpf
