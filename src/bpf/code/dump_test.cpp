#include <gtest/gtest.h>

#include "bpf/code/function_builder.h"
#include "bpf/code/program.h"

namespace kinst::bpf {
namespace {

using enum Register;

TEST(Dump, ShowsLabelsCommentsAndNames) {
  ObjectSpecification object;
  const MapId counts = object.add_map({.name = "counts", .value_size = 8});
  FunctionBuilder builder("main");
  const Label end = builder.label();
  builder.comment("count the hit");
  builder.load_map_value(R1, counts, 8);
  builder.emit(mov(R2, 1));
  builder.emit(atomic(Size::Double, Atomic::Add, R1, 0, R2));
  builder.jump_if(R2, Condition::SignedLess, R1, end);
  builder.load_constant(R3, 0xffff888100000000);
  builder.call(Helper::KtimeGetNs);
  builder.call("strlen");
  builder.bind(end);
  builder.exit();
  Program program{.name = "probe"};
  program.functions.push_back(std::move(builder).finish());

  EXPECT_EQ(dump(program, object.maps),
            "probe.main:\n"
            "    ; count the hit\n"
            "    r1 = map counts value +8\n"
            "    r2 = 1\n"
            "    lock *(u64 *)(r1 +0) += r2\n"
            "    if r2 s< r1 goto L0\n"
            "    r3 = 0xffff888100000000 ll\n"
            "    call helper#5\n"
            "    call strlen\n"
            "  L0:\n"
            "    exit\n");
}

struct Text {
  Instruction instruction;
  const char* text;
};

class Disassemble : public testing::TestWithParam<Text> {};

TEST_P(Disassemble, IsInTheVerifiersNotation) {
  EXPECT_EQ(disassemble(GetParam().instruction), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    OneOfEachKind, Disassemble,
    testing::Values(Text{mov(R1, R2), "r1 = r2"}, Text{mov(R1, -5), "r1 = -5"},
                    Text{mov32(R1, R2), "w1 = w2"}, Text{negate(R3), "r3 = -r3"},
                    Text{alu(Arithmetic::ShiftRightSigned, R1, 3), "r1 s>>= 3"},
                    Text{alu(Arithmetic::Modulo, R1, R4), "r1 %= r4"},
                    Text{alu32(Arithmetic::Add, R1, R4), "w1 += w4"},
                    Text{to_big_endian(R1, 16), "r1 = be16 r1"},
                    Text{load(Size::Half, R1, R2, -8), "r1 = *(u16 *)(r2 -8)"},
                    Text{store(Size::Word, R10, -8, R2), "*(u32 *)(r10 -8) = r2"},
                    Text{store(Size::Byte, R10, -8, 7), "*(u8 *)(r10 -8) = 7"},
                    Text{atomic(Size::Double, Atomic::FetchAdd, R1, 0, R2),
                         "r2 = atomic_fetch *(u64 *)(r1 +0) += r2"},
                    Text{atomic(Size::Word, Atomic::Exchange, R1, 0, R2),
                         "r2 = atomic_xchg(*(u32 *)(r1 +0), r2)"},
                    Text{atomic(Size::Double, Atomic::CompareExchange, R1, 8, R2),
                         "r0 = atomic_cmpxchg(*(u64 *)(r1 +8), r0, r2)"},
                    Text{jump_if32(R1, Condition::AnyBitSet, 4), "if w1 & 4 goto pc+0"},
                    Text{call(Helper::MapLookup), "call helper#1"},
                    Text{exit(), "exit"}));

}  // namespace
}  // namespace kinst::bpf
