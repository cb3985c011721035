#include "provider/user/reachable_code.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace kinst::provider {
namespace {

using isa::Instruction;
using isa::InstructionClass;

bool is_good(const Instruction& one) {
  return one.decoding == isa::Decoding::Good;
}

}  // namespace

// Follows the control flow of one function; everything by offset from its beginning.
class ReachableCode::Search {
 public:
  Search(ReachableCode& code, const user::ElfSymbol& function,
         std::span<const std::byte> text, std::uint64_t address)
      : code_(code), function_(function), text_(text), address_(address) {
    for (Instruction& one : code.isa_->decode(text, KernelAddress{address})) {
      const auto offset = number(one.offset);
      in_a_row_.emplace(offset, std::move(one));
    }
  }

  std::vector<FunctionPlace> run() {
    follow(0);
    const auto& symbols = code_.file_->symbols.all();
    for (auto symbol = std::ranges::lower_bound(symbols, function_.address, {},
                                                &user::ElfSymbol::address);
         symbol != symbols.end() && symbol->address - function_.address < text_.size();
         ++symbol) {
      if (symbol->is_function && symbol->is_typed) {
        follow(symbol->address - function_.address);
      }
    }
    if (!is_all_reached()) {
      follow_outside_references();
    }
    return result();
  }

 private:
  [[nodiscard]] bool is_all_reached() const {
    return std::ranges::all_of(in_a_row_, [&](const auto& one) {
      return reached_.contains(one.first) || code_.isa_->is_filler(one.second);
    });
  }

  // The instruction at an offset: as the whole function was decoded, or else, where a
  // jump leads into the middle of one of those, decoded from there.
  std::optional<Instruction> instruction_at(std::uint64_t offset) const {
    if (const auto known = in_a_row_.find(offset); known != in_a_row_.end()) {
      return known->second;
    }
    const auto bytes = text_.subspan(
        offset, std::min<std::size_t>(code_.isa_->longest_instruction_bytes,
                                      text_.size() - offset));
    auto decoded = code_.isa_->decode(bytes, KernelAddress{address_ + offset});
    if (decoded.empty()) {
      return std::nullopt;
    }
    decoded.front().offset = FunctionOffset{static_cast<std::uint32_t>(offset)};
    return std::move(decoded.front());
  }

  void follow(std::uint64_t begin) {
    std::vector<std::uint64_t> open{begin};
    while (!open.empty()) {
      const std::uint64_t offset = open.back();
      open.pop_back();
      if (offset >= text_.size() || reached_.contains(offset)) {
        continue;
      }
      auto one = instruction_at(offset);
      if (!one || !is_good(*one)) {
        continue;
      }
      if (code_.isa_->goes_on(*one)) {
        open.push_back(offset + one->length);
      }
      if (one->branch.target == isa::TargetKind::Direct) {
        open.push_back(number(one->branch.address) - address_);
      }
      one->boundary_certain = true;
      reached_.emplace(offset, *std::move(one));
    }
  }

  // From elsewhere only to where an instruction was decoded: a reference by chance
  // leads anywhere.
  void follow_boundary(std::uint64_t address) {
    const std::uint64_t offset = address - function_.address;
    if (in_a_row_.contains(offset)) {
      follow(offset);
    }
  }

  void follow_outside_references() {
    const auto& compiled = code_.compiled();
    const auto behind = std::ranges::upper_bound(compiled, function_.address, {},
                                                 &user::CodeRange::begin);
    if (behind != compiled.begin() && function_.address < std::prev(behind)->end) {
      for (const auto& [offset, one] : in_a_row_) {
        follow(offset);
      }
      return;
    }
    const References& references = code_.references();
    for (const auto* addresses : {&references.jumps, &references.pointers}) {
      for (auto one = std::ranges::lower_bound(*addresses, function_.address);
           one != addresses->end() && *one - function_.address < text_.size(); ++one) {
        follow_boundary(*one);
      }
    }
    // What tables lead to may compute the addresses of further ones.
    std::size_t before = 0;
    while (reached_.size() != before && !is_all_reached()) {
      before = reached_.size();
      std::vector<std::uint64_t> tables;
      for (const auto& [offset, one] : reached_) {
        if (const auto table = code_.isa_->address_taken(one)) {
          tables.push_back(*table - (address_ - function_.address));
        }
      }
      for (const std::uint64_t table : tables) {
        follow_table(table);
      }
    }
  }

  // A table outside of code, of distances from its beginning, as compilers make of a
  // switch. It ends where a distance leads out of the file's code.
  void follow_table(std::uint64_t table) {
    constexpr std::uint64_t most_bytes = 16384;
    if (code_.is_code(table)) {
      return;
    }
    const std::vector<std::byte> bytes = code_.read(table, most_bytes);
    for (std::size_t at = 0; at + sizeof(std::int32_t) <= bytes.size();
         at += sizeof(std::int32_t)) {
      std::int32_t distance = 0;
      std::memcpy(&distance, &bytes[at], sizeof distance);
      const std::uint64_t target =
          table + static_cast<std::uint64_t>(std::int64_t{distance});
      if (!code_.is_code(target)) {
        return;
      }
      follow_boundary(target);
    }
  }

  std::vector<FunctionPlace> result() const {
    std::vector<FunctionPlace> places;
    std::uint64_t reached_until = 0;
    for (const auto& [offset, one] : reached_) {
      const bool is_within_another = offset < reached_until;
      reached_until = std::max<std::uint64_t>(reached_until, offset + one.length);
      std::string why_not(code_.isa_->why_no_uprobe(one.encoding()));
      if (is_within_another) {
        why_not = "it begins inside another instruction that is executed, too";
      } else if (code_.isa_->may_become_a_call(one.encoding()) &&
                 !is_called_only(offset) && !code_.nops_stay_()) {
        why_not =
            "this kernel would make a call of the nop, which overwrites what the "
            "function keeps below its stack pointer";
      }
      places.push_back({.instruction = one, .why_not = std::move(why_not)});
    }
    for (const auto& [offset, one] : in_a_row_) {
      if (!reached_.contains(offset) && !overlaps_reached(offset, one.length)) {
        places.push_back({.instruction = one, .why_not = why_not_reached(one)});
      }
    }
    std::ranges::sort(places, {}, [](const FunctionPlace& place) {
      return number(place.instruction.offset);
    });
    return places;
  }

  // Whether control comes to the place only by calls of the function.
  [[nodiscard]] bool is_called_only(std::uint64_t offset) const {
    return offset == 0 && std::ranges::none_of(reached_, [&](const auto& one) {
             return !one.second.is(InstructionClass::Call) &&
                    one.second.branch.target == isa::TargetKind::Direct &&
                    number(one.second.branch.address) == address_;
           });
  }

  [[nodiscard]] bool overlaps_reached(std::uint64_t offset, std::uint8_t length) const {
    const auto behind = reached_.lower_bound(offset);
    if (behind != reached_.end() && behind->first < offset + length) {
      return true;
    }
    return behind != reached_.begin() &&
           std::prev(behind)->first + std::prev(behind)->second.length > offset;
  }

  [[nodiscard]] std::string why_not_reached(const Instruction& one) const {
    if (code_.isa_->is_filler(one)) {
      return "it fills a gap and is not executed";
    }
    return is_good(one) && one.boundary_certain
               ? "no jump is known that leads there, so it may be data"
               : "it is no instruction that is known";
  }

  ReachableCode& code_;
  const user::ElfSymbol& function_;
  std::span<const std::byte> text_;
  std::uint64_t address_;
  std::map<std::uint64_t, Instruction> in_a_row_;
  std::map<std::uint64_t, Instruction> reached_;
};

ReachableCode::ReachableCode(const user::ObjectFile& file, std::string openable,
                             const isa::Isa& isa, std::function<bool()> nops_stay)
    : file_(&file),
      openable_(std::move(openable)),
      isa_(&isa),
      nops_stay_(std::move(nops_stay)) {}

std::vector<FunctionPlace> ReachableCode::places(const user::ElfSymbol& function,
                                                 std::span<const std::byte> text,
                                                 std::uint64_t address) {
  return Search(*this, function, text, address).run();
}

std::vector<std::byte> ReachableCode::read(std::uint64_t address,
                                           std::uint64_t bytes) const {
  return user::read_at_address(openable_, file_->elf, address, bytes);
}

bool ReachableCode::is_code(std::uint64_t address) const {
  return std::ranges::any_of(file_->elf.segments, [&](const user::ElfSegment& one) {
    return one.is_executable && address >= one.address &&
           address - one.address < one.file_bytes;
  });
}

const std::vector<user::CodeRange>& ReachableCode::compiled() {
  if (!compiled_) {
    const user::CallFrameSection section =
        user::read_call_frame_section(openable_, file_->elf);
    compiled_ = user::code_with_handlers(section.bytes, section.address);
  }
  return *compiled_;
}

std::string ReachableCode::why_no_function(const user::ElfSymbol& symbol) {
  if (symbol.is_typed || symbol.address == file_->elf.entry ||
      std::ranges::binary_search(references().jumps, symbol.address)) {
    return {};
  }
  return "its symbol has no type, and no jump is known that leads there, so it may be "
         "data";
}

// Jumps and calls anywhere in the code, and all words of the data that could be
// addresses: pointers, relocations' addends, symbols.
const ReachableCode::References& ReachableCode::references() {
  if (references_) {
    return *references_;
  }
  // More than any program of a distribution; the rest of a larger one is left out.
  constexpr std::uint64_t most_bytes = 512U << 20U;
  References& found = references_.emplace();
  for (const user::ElfSegment& segment : file_->elf.segments) {
    const auto bytes = read(segment.address, std::min(segment.file_bytes, most_bytes));
    if (segment.is_executable) {
      isa_->add_direct_targets(bytes, segment.address, found.jumps);
      continue;
    }
    for (std::size_t at = (8 - segment.address % 8) % 8;
         at + sizeof(std::uint64_t) <= bytes.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, &bytes[at], sizeof word);
      if (is_code(word)) {
        found.pointers.push_back(word);
      }
    }
  }
  std::erase_if(found.jumps, [&](std::uint64_t address) { return !is_code(address); });
  std::ranges::sort(found.jumps);
  std::ranges::sort(found.pointers);
  return found;
}

}  // namespace kinst::provider
