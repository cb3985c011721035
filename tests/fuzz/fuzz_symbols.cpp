// The kernel's symbols: the text of /proc/kallsyms, the note that says where the tables
// are, and the tables themselves in any bytes.
#include <algorithm>
#include <memory>
#include <string>

#include "fuzz/fuzz.h"
#include "kernel/memory/vmcoreinfo.h"
#include "kernel/symbols/image_symbols.h"
#include "kernel/symbols/symbol_list.h"

using kinst::KernelAddress;
using kinst::fuzz::require;
namespace kernel = kinst::kernel;

namespace {

constexpr KernelAddress begin{0xffffffff82000000};

class Input final : public kernel::Memory {
 public:
  explicit Input(std::span<const std::byte> bytes)
      : bytes_(bytes.begin(), bytes.end()) {}
  [[nodiscard]] kinst::Result<void> read(KernelAddress address,
                                         std::span<std::byte> out) const override {
    const std::uint64_t at = number(address) - number(begin);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = at + i < bytes_.size() ? bytes_[at + i] : std::byte{};
    }
    return {};
  }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = kinst::fuzz::text_of(data, size);
  if (const auto list = kernel::SymbolList::parse(std::string(text))) {
    KernelAddress before{};
    for (const kernel::ListedSymbol& symbol : list->all()) {
      require(before <= symbol.address);
      before = symbol.address;
      require(!list->beginning_at(symbol.address).empty());
    }
  }
  // A note, an empty line, and the tables that it speaks of.
  const std::size_t end = std::min(text.find("\n\n"), text.size());
  const auto tables = std::as_bytes(std::span(text.substr(end)));
  static_cast<void>(kernel::find_vmcoreinfo(std::as_bytes(std::span(text))));
  if (const auto symbols = kernel::ImageSymbols::open(std::make_unique<Input>(tables),
                                                      text.substr(0, end))) {
    static_cast<void>(symbols->find("vfs_read"));
    for (std::size_t i = 0; i < std::min<std::size_t>(symbols->size(), 100); ++i) {
      require(symbols->first_above(symbols->address(i)) > i);
      static_cast<void>(symbols->name(i));
    }
  }
  return 0;
}
