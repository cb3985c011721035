#include "codegen/plan/sizes.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "codegen/plan/walk.h"
#include "record/layout.h"

namespace kinst::codegen {
namespace {

// Far from what 32 bits count, so that what is added on the way finds room, too.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30U;
// Each CPU has those of clauses.
constexpr std::uint64_t most_clause_bytes = std::uint64_t{1} << 20U;

// A sum that stays where it is when it has become too large.
class Sum {
 public:
  void add(std::uint64_t bytes) {
    constexpr std::uint64_t alignment = 8;
    bytes_ = bytes > most_bytes || bytes_ > most_bytes ? most_bytes + 1
                                                       : bytes_ + bytes + alignment;
  }
  [[nodiscard]] Result<void> check(std::string_view what,
                                   std::uint64_t most = most_bytes) const {
    if (bytes_ > most) {
      return error("{} would take more than {} bytes, which are the most there can be",
                   what, most);
    }
    return {};
  }

 private:
  std::uint64_t bytes_ = 0;
};

Result<void> check_keys(std::string_view name, const std::vector<types::TypeId>& keys,
                        const types::TypeTable& types) {
  Sum sum;
  for (const types::TypeId key : keys) {
    sum.add(types.size_of(key).value_or(0));
  }
  return sum.check(fmt::format("a key of {}", name));
}

Result<void> check_variables(const d::typed::Program& program,
                             const types::TypeTable& types) {
  Sum globals;
  Sum clause_local;
  for (const d::typed::Variable& variable : program.variables) {
    const std::uint64_t bytes = types.size_of(variable.type).value_or(0);
    const bool is_in_a_map = variable.scope == d::typed::VariableScope::Thread ||
                             !variable.key_types.empty();
    if (is_in_a_map) {
      Sum own;
      own.add(bytes);
      KINST_CHECK(own.check(fmt::format("variable {}", variable.name)));
    } else if (variable.scope == d::typed::VariableScope::Clause) {
      clause_local.add(bytes);
    } else {
      globals.add(bytes);
    }
    KINST_CHECK(check_keys(variable.name, variable.key_types, types));
  }
  KINST_CHECK(clause_local.check("the clause-local variables", most_clause_bytes));
  return globals.check("the global variables");
}

Result<void> check_record(const d::typed::Clause& clause,
                          const types::TypeTable& types) {
  Sum sum;
  for_each_statement(clause.statements, [&](const d::typed::Statement& statement) {
    if (const auto* call = std::get_if<d::typed::ActionCall>(&statement.node)) {
      for (const d::typed::ExpressionPointer& argument : call->arguments) {
        sum.add(types.size_of(argument->type).value_or(0));
      }
    }
  });
  return sum.check("what a clause records");
}

// A value of each CPU's own: PCPU_MIN_UNIT_SIZE, include/linux/percpu.h.
constexpr std::uint32_t most_bytes_of_a_cpu = 32768;
// One for all: an element of a hash with its key and what the kernel adds is below
// KMALLOC_MAX_SIZE (htab_map_alloc_check(), kernel/bpf/hashtab.c), 4 MiB on x86.
constexpr std::uint32_t most_value_bytes = (4U << 20U) - (64U << 10U);

Result<void> check_value(const d::typed::Aggregation& aggregation) {
  const std::uint32_t words =
      record::value_words(aggregation.function, aggregation.parameters);
  constexpr std::uint32_t most_words = most_value_bytes / sizeof(std::uint64_t);
  if (words > most_words) {
    return error(
        "@{} would have {} values for each key, and the kernel holds no more than {}: "
        "a smaller number of steps or magnitudes makes fewer",
        aggregation.name, words, most_words);
  }
  return {};
}

}  // namespace

Result<void> check_sizes(const d::typed::Program& program,
                         const types::TypeTable& types) {
  KINST_CHECK(check_variables(program, types));
  for (const d::typed::Aggregation& aggregation : program.aggregations) {
    KINST_CHECK(check_keys("@" + aggregation.name, aggregation.key_types, types));
    KINST_CHECK(check_value(aggregation));
  }
  for (const d::typed::Clause& clause : program.clauses) {
    KINST_CHECK(check_record(clause, types));
  }
  return {};
}

bool is_one_value(const record::Aggregation& layout) {
  return layout.value_words > most_bytes_of_a_cpu / sizeof(std::uint64_t);
}

}  // namespace kinst::codegen
