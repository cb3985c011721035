// The forms are DTrace's: object`symbol+0xoffset.
#include "consumer/values/symbol_text.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "base/text/printable.h"

namespace kinst::consumer {
namespace {

using record::Address;
using record::Meaning;

std::optional<SymbolOffset> place_of(Symbolizer& names, const Address& address) {
  return address.process ? names.user_place(*address.process, address.address)
                         : names.kernel_place(address.address);
}

enum class Offsets { Shown, Hidden };

std::string text_of(const std::optional<SymbolOffset>& place, std::uint64_t address,
                    Offsets offsets) {
  if (!place) {
    return fmt::format("{:#x}", address);
  }
  const std::string object = printable(place->object);
  if (place->symbol.empty()) {
    return fmt::format("{}`{:#x}", object, address);
  }
  const std::string symbol = printable(place->symbol);
  if (place->offset == 0 || offsets == Offsets::Hidden) {
    return fmt::format("{}`{}", object, symbol);
  }
  return fmt::format("{}`{}+{:#x}", object, symbol, place->offset);
}

}  // namespace

std::string address_text(Symbolizer& names, const Address& address) {
  return text_of(place_of(names, address), address.address, Offsets::Shown);
}

std::string frame_text(Symbolizer& names, const record::Frames& frames,
                       std::size_t number) {
  const Address address{frames.addresses[number], frames.process};
  std::optional<SymbolOffset> place = place_of(names, address);
  if (number != 0 && (!place || place->symbol.empty())) {
    auto call = place_of(names, {address.address - 1, frames.process});
    if (call && !call->symbol.empty()) {
      ++call->offset;
      place = std::move(call);
    }
  }
  return text_of(place, address.address, Offsets::Shown);
}

std::string symbol_text(Symbolizer& names, Meaning meaning, const Address& address) {
  const auto place = place_of(names, address);
  switch (meaning) {
    case Meaning::Module:
    case Meaning::UserModule:
      return place ? printable(place->object) : fmt::format("{:#x}", address.address);
    case Meaning::UserAddress:
      return text_of(place, address.address, Offsets::Shown);
    default:
      return text_of(place, address.address, Offsets::Hidden);
  }
}

std::string probe_text(Symbolizer& names, Meaning meaning, std::uint64_t key) {
  const provider::Probe* probe = names.probe(key);
  const std::string unknown = "<unknown>";
  const auto name = [&](std::string provider::Probe::*field) {
    return probe == nullptr ? unknown : printable(probe->*field);
  };
  switch (meaning) {
    case Meaning::ProbeProvider:
      return name(&provider::Probe::provider);
    case Meaning::ProbeModule:
      return name(&provider::Probe::module);
    case Meaning::ProbeFunction:
      return name(&provider::Probe::function);
    case Meaning::ProbeName:
      return name(&provider::Probe::name);
    case Meaning::ProbeId:
      return probe == nullptr ? unknown : std::to_string(probe->id);
    case Meaning::Instruction:
    case Meaning::Mnemonic:
    case Meaning::SourceFile:
    case Meaning::SourceLine:
      return printable(names.instruction(meaning, key));
    case Meaning::Value:
    case Meaning::Stack:
    case Meaning::UserStack:
    case Meaning::Symbol:
    case Meaning::Function:
    case Meaning::Module:
    case Meaning::UserAddress:
    case Meaning::UserSymbol:
    case Meaning::UserFunction:
    case Meaning::UserModule:
      break;  // no key of a probe
  }
  return unknown;
}

void append_stack(std::string& out, Symbolizer& names, const record::Frames& frames,
                  std::uint32_t indent) {
  out += '\n';
  for (std::size_t number = 0; number < frames.addresses.size(); ++number) {
    out.append(indent, ' ');
    out += frame_text(names, frames, number);
    out += '\n';
  }
}

}  // namespace kinst::consumer
