// For tests: a small kernel, and D text checked against it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "d/check/check.h"
#include "d/check/environment.h"
#include "d/check/probed_code.h"
#include "types/type.h"

namespace kinst::d::testing {

/// A kernel with
///     typedef unsigned int __kernel_dev_t;  typedef struct { int counter; }
///     atomic_t; struct list { struct list *next; }; struct task_struct { int
///     pid; char comm[16]; unsigned flags : 3, exiting : 1;
///                          struct task_struct *parent; struct list tasks;
///                          struct mm_struct *mm; };   mm_struct is incomplete
///     enum state { RUNNING, SLEEPING = 5 };
///     unsigned long jiffies; struct task_struct init_task; int vfs_read(int);
///     the untyped symbol `secret`; registers R_RAX = 0, R_RSI = 1.
class FakeKernel : public Environment {
 public:
  explicit FakeKernel(types::TypeTable& types);

  std::optional<types::TypeId> kernel_type(std::string_view object, TypeNameKind kind,
                                           std::string_view name) override;
  std::optional<KernelSymbolInfo> kernel_symbol(std::string_view object,
                                                std::string_view name) override;
  void offer_symbols(std::string_view object, NearNames& near) override;
  std::optional<EnumeratorInfo> kernel_enumerator(std::string_view name) override;
  std::optional<std::uint32_t> register_index(std::string_view name) override;
  [[nodiscard]] std::vector<std::string> register_names() const override;
  [[nodiscard]] std::uint32_t register_count() const override { return 2; }

  types::TypeTable& table;
  types::TypeId task{};
  types::TypeId list{};
  types::TypeId memory{};
  types::TypeId atomic{};
  types::TypeId device{};
  types::TypeId state{};
  types::TypeId unsigned_long{};
  types::TypeId vfs_read{};
};

/// Code whose arguments are the same everywhere, with `locals` at all probes.
class FakeCode : public ProbedCode {
 public:
  std::string argument_difference(std::size_t /*description*/,
                                  std::uint64_t /*argument*/) override {
    return {};
  }
  std::optional<Result<types::TypeId>> local_variable(std::size_t /*description*/,
                                                      std::string_view name) override {
    const auto found = locals.find(name);
    return found == locals.end() ? std::nullopt
                                 : std::optional<Result<types::TypeId>>(found->second);
  }
  std::string why_no_locals(std::size_t /*description*/) override { return {}; }

  std::map<std::string, types::TypeId, std::less<>> locals;
};

/// One text checked alone. All descriptions have the same probes.
struct Checked {
  std::string text;         ///< to_text() of the program; empty if there were errors
  std::string diagnostics;  ///< rendered, with tags
  std::vector<std::string> tags;
};

ProbeContext instruction_probe();
Checked check_text(std::string_view program, const ProbeContext& probe = {},
                   const CheckOptions& options = {});
/// The tags of what is wrong with `BEGIN { body }`, joined by a blank.
std::string tags_of(std::string_view body);
/// The typed statements of `BEGIN { body }`, or what is wrong with it.
std::string typed_body(std::string_view body);

}  // namespace kinst::d::testing
