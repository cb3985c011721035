// Macro arguments and variables: `$1`, `$$1`, `$target`, in programs and descriptions.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace kinst::d {

/// What the command line gives a program.
struct MacroValues {
  /// [0] is $0, the script's or command's name; [1] is $1.
  std::vector<std::string> arguments;
  /// By name without '$': "pid", "target", "uid", …, and the user's own.
  std::map<std::string, std::int64_t, std::less<>> variables;
  /// The option defaultargs: an argument that was not given is 0, or "" as a string.
  bool default_arguments = false;
};

enum class MacroForm : std::uint8_t {
  Value,  ///< `$name`
  Text,   ///< `$$name`, always a string
};

/// A reference as found in a text.
struct MacroReference {
  MacroForm form = MacroForm::Value;
  std::string_view name;   ///< "1", "target"; empty when '$' stands alone
  std::size_t length = 0;  ///< of the whole reference, in bytes
};

/// Reads the reference at the beginning of `text`, whose first byte is '$'.
MacroReference read_macro_reference(std::string_view text);

/// Expands references, and records which arguments were used, because an argument that
/// no program uses is an error (D_MACRO_UNUSED).
class MacroExpander {
 public:
  explicit MacroExpander(const MacroValues& values) : values_(values) {}

  /// `#pragma D option defaultargs` takes effect where it stands.
  void set_default_arguments() { default_arguments_ = true; }

  /// The text that stands for the reference. Errors: "macro argument $1 is not
  /// defined".
  Result<std::string> expand(const MacroReference& reference);

  /// Numbers of the arguments used so far, ascending.
  [[nodiscard]] const std::vector<std::uint32_t>& used_arguments() const {
    return used_arguments_;
  }

 private:
  [[nodiscard]] std::string instead_of(std::string_view name) const;
  Result<std::string> argument(const MacroReference& reference);

  const MacroValues& values_;
  bool default_arguments_ = false;
  std::vector<std::uint32_t> used_arguments_;
};

}  // namespace kinst::d
