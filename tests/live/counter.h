// A program that only counts, for tests of attaching.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <utility>

#include "live/live_bpf.h"

namespace kinst::live {

enum class CountedProcess : std::uint8_t { Own, All };

/// A program that counts in element `cookie & 15` of "counts" (0 for programs without
/// a cookie) its runs on behalf of this process, or all runs.
inline bpf::ObjectSpecification counter_specification(
    bpf::ProgramType type, CountedProcess whose, bool by_cookie,
    std::uint32_t expected_attach_type = 0, std::uint32_t attach_btf_id = 0) {
  using namespace bpf;  // NOLINT(google-build-using-namespace): the subject here
  using enum Register;
  ObjectSpecification specification;
  const MapId counts = specification.add_map({.name = "counts", .value_size = 16 * 8});
  FunctionBuilder builder("main");
  const Label end = builder.label();
  builder.emit(mov(R6, 0));
  if (by_cookie) {
    builder.call(Helper::GetAttachCookie);
    builder.emit(mov(R6, R0));
    builder.emit(alu(Arithmetic::And, R6, 15));
    builder.emit(alu(Arithmetic::ShiftLeft, R6, 3));
  }
  if (whose == CountedProcess::Own) {
    builder.call(Helper::GetCurrentPidTgid);
    builder.emit(alu(Arithmetic::ShiftRight, R0, 32));
    builder.jump_if(R0, Condition::NotEqual, getpid(), end);
  }
  builder.load_map_value(R1, counts, 0);
  builder.emit(alu(Arithmetic::Add, R1, R6));
  builder.emit(mov(R2, 1));
  builder.emit(atomic(Size::Double, Atomic::Add, R1, 0, R2));
  builder.bind(end);
  builder.emit(mov(R0, 0));
  builder.exit();
  specification.programs.push_back({.name = "count",
                                    .type = type,
                                    .expected_attach_type = expected_attach_type,
                                    .attach_btf_id = attach_btf_id,
                                    .functions = {std::move(builder).finish()}});
  return specification;
}

/// The same, loaded.
inline bpf::Object counter(bpf::ProgramType type, CountedProcess whose, bool by_cookie,
                           std::uint32_t expected_attach_type = 0) {
  return loaded(counter_specification(type, whose, by_cookie, expected_attach_type));
}

inline std::uint64_t count(const bpf::Object& object, std::size_t index = 0) {
  return value_at<std::uint64_t>(object.maps.at(0).element(0).value(), index * 8);
}

}  // namespace kinst::live
