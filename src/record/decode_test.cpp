#include "record/decode.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace kinst::record {
namespace {

class Decode : public testing::Test {
 protected:
  // Appends a field of `bytes` to the record and to the action.
  template <typename T>
  Field put(const T& data, types::TypeId type, Meaning meaning = Meaning::Value) {
    const auto offset = static_cast<std::uint32_t>(bytes_.size());
    const auto* begin = reinterpret_cast<const std::byte*>(&data);
    bytes_.insert(bytes_.end(), begin, begin + sizeof(data));
    return Field{offset, sizeof(data), type, meaning};
  }
  void put_header(std::uint32_t clause) {
    put(kinst_record_header{.clause = clause, .cpu = 1, .tid = 7, .probe = 42},
        table_.uint64_type());
  }
  Value value(const Field& field) {
    const auto value = decode_field(table_, field, bytes_);
    EXPECT_TRUE(value);
    return value.value_or(Value{});
  }

  types::TypeTable table_;
  std::vector<std::byte> bytes_;
};

TEST_F(Decode, ExtendsIntegersByTheirSign) {
  EXPECT_EQ(std::get<Integer>(value(put(std::int8_t{-2}, table_.char_type())).data),
            (Integer{~std::uint64_t{1}, 1, true}));
  const types::TypeId small = table_.add(
      types::Integer{.name = "unsigned short", .size_bytes = 2, .is_signed = false});
  EXPECT_EQ(std::get<Integer>(value(put(std::uint16_t{0xfffe}, small)).data),
            (Integer{0xfffe, 2, false}));
  EXPECT_EQ(
      std::get<Integer>(value(put(~std::uint64_t{0}, table_.pointer_to(small))).data),
      (Integer{~std::uint64_t{0}, 8, false}));
}

TEST_F(Decode, EndsTextAtItsZeroByteOrItsField) {
  const std::array<char, 8> ended{'a', 'b', '\0', 'x'};
  EXPECT_EQ(std::get<Text>(value(put(ended, table_.string_type())).data).text, "ab");
  const std::array<char, 3> full{'a', 'b', 'c'};
  EXPECT_EQ(
      std::get<Text>(value(put(full, table_.array_of(table_.char_type(), 3))).data)
          .text,
      "abc");
}

TEST_F(Decode, KeepsOtherTypesAsBytes) {
  const std::array<std::int32_t, 2> numbers{1, 2};
  const Value array = value(put(numbers, table_.array_of(table_.int_type(), 2)));
  EXPECT_EQ(std::get<Bytes>(array.data).bytes.size(), 8U);
  const types::TypeId real = table_.add(types::Float{.name = "double"});
  EXPECT_EQ(std::get<Real>(value(put(2.5, real)).data), (Real{2.5L, 8}));
}

TEST_F(Decode, ReadsStacksUpToTheirZeroAndUserStacksProcess) {
  const std::array<std::uint64_t, 4> words{10, 20, 0, 30};
  const types::TypeId type = table_.uint64_type();
  EXPECT_EQ(std::get<Frames>(value(put(words, type, Meaning::Stack)).data),
            (Frames{{10, 20}, std::nullopt}));
  EXPECT_EQ(std::get<Frames>(value(put(words, type, Meaning::UserStack)).data),
            (Frames{{20}, 10}));
  const std::array<std::uint64_t, 3> of_either{kernel_stack_mark, 20, 0};
  EXPECT_EQ(std::get<Frames>(value(put(of_either, type, Meaning::UserStack)).data),
            (Frames{{20}, std::nullopt}));
  const std::array<std::uint64_t, 2> address{77, 0x1000};
  EXPECT_EQ(std::get<Address>(value(put(address, type, Meaning::UserSymbol)).data),
            (Address{0x1000, 77}));
  EXPECT_EQ(std::get<Address>(value(put(address, type, Meaning::Module)).data),
            (Address{77, std::nullopt}));
  EXPECT_EQ(std::get<ProbeKey>(value(put(address, type, Meaning::ProbeName)).data),
            (ProbeKey{77}));
}

TEST_F(Decode, GivesTheActionsThatRan) {
  put_header(1);
  Action always{.kind = ActionKind::Trace};
  always.fields.push_back(put(std::int32_t{5}, table_.int_type()));
  const Field ran = put(std::uint8_t{1}, table_.char_type());
  const Field skipped = put(std::uint8_t{0}, table_.char_type());
  Layouts layouts;
  layouts.clauses.resize(2);
  layouts.clauses[1] = Layout{
      .clause = 1,
      .actions = {always,
                  Action{.kind = ActionKind::Ftruncate, .guard_offset = ran.offset},
                  Action{.kind = ActionKind::Exit, .guard_offset = skipped.offset}}};

  const auto decoded = decode(table_, layouts, bytes_);
  ASSERT_TRUE(decoded);
  const auto& record = std::get<DecodedRecord>(*decoded);
  EXPECT_EQ(record.header.probe, 42U);
  ASSERT_EQ(record.actions.size(), 2U);
  EXPECT_EQ(std::get<Integer>(record.actions[0].values.at(0).data).value, 5U);
  EXPECT_EQ(record.actions[1].action->kind, ActionKind::Ftruncate);

  for (std::size_t length = 0; length < bytes_.size(); ++length) {
    EXPECT_FALSE(decode(table_, layouts, std::span(bytes_).first(length))) << length;
  }
}

TEST_F(Decode, RefusesClausesThatThereAreNot) {
  put_header(3);
  EXPECT_EQ(decode(table_, {}, bytes_).error().message,
            "a record is of clause 3, of 0");
}

TEST_F(Decode, TellsErrorsFromRecords) {
  kinst_error_record fault{};
  fault.header.clause = KINST_RECORD_ERROR;
  fault.fault = KINST_FAULT_DIVZERO;
  put(fault, table_.int_type());
  const auto decoded = decode(table_, {}, bytes_);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(std::get<kinst_error_record>(*decoded).fault, KINST_FAULT_DIVZERO);
  bytes_.pop_back();
  EXPECT_FALSE(decode(table_, {}, bytes_));
}

}  // namespace
}  // namespace kinst::record
