// What the consumer makes of a recorded value's bytes beyond what its type says, and in
// which form these bytes are.
#pragma once

#include <cstdint>

namespace kinst::record {

enum class Meaning : std::uint8_t {
  Value,      ///< as its type says; integers at their own size, little-endian
  Stack,      ///< innermost frame first
  UserStack,  ///< a key that can hold either stack has a kernel stack behind
              ///< kernel_stack_mark
  Symbol,
  Function,
  Module,
  UserAddress,
  UserSymbol,
  UserFunction,
  UserModule,
  // The consumer turns the probe's key into these names and this number. The kernel
  // side never handles them as text.
  ProbeProvider,
  ProbeModule,
  ProbeFunction,
  ProbeName,
  ProbeId,  ///< printed as the probe's number
  // Properties of the instruction at the probe, which the consumer looks up by the
  // probe's key.
  Instruction,
  Mnemonic,
  SourceFile,
  SourceLine,
};

/// How a value lies in a record or in a key.
enum class Form : std::uint8_t {
  Value,        ///< as its type says
  Frames,       ///< 8-byte kernel addresses up to a 0
  UserFrames,   ///< u64 process id, then 8-byte user addresses up to a 0
  Address,      ///< a u64 kernel address
  UserAddress,  ///< u64 process id, u64 address
  ProbeKey,     ///< a u64 probe key (kinst_record_header::probe)
};

constexpr Form form_of(Meaning meaning) {
  switch (meaning) {
    case Meaning::Value:
      return Form::Value;
    case Meaning::Stack:
      return Form::Frames;
    case Meaning::UserStack:
      return Form::UserFrames;
    case Meaning::Symbol:
    case Meaning::Function:
    case Meaning::Module:
      return Form::Address;
    case Meaning::UserAddress:
    case Meaning::UserSymbol:
    case Meaning::UserFunction:
    case Meaning::UserModule:
      return Form::UserAddress;
    case Meaning::ProbeProvider:
    case Meaning::ProbeModule:
    case Meaning::ProbeFunction:
    case Meaning::ProbeName:
    case Meaning::ProbeId:
    case Meaning::Instruction:
    case Meaning::Mnemonic:
    case Meaning::SourceFile:
    case Meaning::SourceLine:
      return Form::ProbeKey;
  }
  return Form::Value;
}

/// Whether the text that stands for a probe's key is a number.
constexpr bool is_number(Meaning meaning) {
  return meaning == Meaning::ProbeId || meaning == Meaning::SourceLine;
}

}  // namespace kinst::record
