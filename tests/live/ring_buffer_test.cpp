#include "bpf/load/ring_buffer.h"

#include <gtest/gtest.h>

#include "live/live_bpf.h"

namespace kinst::live {
namespace {

using namespace bpf;  // NOLINT(google-build-using-namespace): the subject here
using enum Register;

/// A program that submits its first argument as a record, and returns the helper's
/// answer; `reserve` makes it reserve and then discard the record instead.
Object writer() {
  ObjectSpecification specification;
  const MapId ring = specification.add_map({.name = "ring",
                                            .type = MapType::RingBuffer,
                                            .key_size = 0,
                                            .max_entries = 4096});
  FunctionBuilder output("main");
  output.emit(load(Size::Double, R6, R1, 0));
  output.emit(store(Size::Double, R10, -8, R6));
  output.load_map(R1, ring);
  output.emit(mov(R2, R10));
  output.emit(alu(Arithmetic::Add, R2, -8));
  output.emit(mov(R3, 8));
  output.emit(mov(R4, 0));
  output.call(Helper::RingbufOutput);
  output.exit();
  FunctionBuilder discard("main");
  const Label end = discard.label();
  discard.load_map(R1, ring);
  discard.emit(mov(R2, 20));
  discard.emit(mov(R3, 0));
  discard.call(Helper::RingbufReserve);
  discard.jump_if(R0, Condition::Equal, 0, end);
  discard.emit(mov(R1, R0));
  discard.emit(mov(R2, 0));
  discard.call(Helper::RingbufDiscard);
  discard.bind(end);
  discard.emit(mov(R0, 0));
  discard.exit();
  specification.programs.push_back(
      {.name = "output", .functions = {std::move(output).finish()}});
  specification.programs.push_back(
      {.name = "discard", .functions = {std::move(discard).finish()}});
  return loaded(specification);
}

std::uint32_t write(const Object& object, std::uint64_t number) {
  const std::vector<std::uint64_t> arguments = {number};
  return run_once(object.programs.at(0), arguments).value_or(1);
}

using RingBufferTest = Live;

TEST_F(RingBufferTest, GivesRecordsInOrderThroughManyRounds) {
  const Object object = writer();
  auto ring = RingBuffer::open(object.maps.at(0));
  ASSERT_TRUE(ring) << ring.error().message;
  std::vector<std::uint64_t> received;
  std::vector<std::uint64_t> expected;
  // 16 bytes each: five times around the 4096 bytes, with a discarded record between.
  for (std::uint64_t i = 0; i < 1280; ++i) {
    ASSERT_EQ(write(object, i), 0U);
    ASSERT_TRUE(run_once(object.programs.at(1)));
    expected.push_back(i);
    EXPECT_EQ(ring->consume([&received](std::span<const std::byte> record) {
      received.push_back(value_at<std::uint64_t>(record));
    }),
              1U);
  }
  EXPECT_EQ(received, expected);
}

TEST_F(RingBufferTest, RefusesRecordsWhenItIsFullAndLosesNoneOfThoseInIt) {
  const Object object = writer();
  auto ring = RingBuffer::open(object.maps.at(0));
  std::size_t accepted = 0;
  std::size_t refused = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    ++(write(object, i) == 0 ? accepted : refused);
  }
  EXPECT_GT(refused, 0U);
  EXPECT_EQ(ring->consume([](std::span<const std::byte>) {}), accepted);
  EXPECT_EQ(accepted + refused, 300U);
}

TEST_F(RingBufferTest, TakesNoMoreThanTheLimit) {
  const Object object = writer();
  auto ring = RingBuffer::open(object.maps.at(0));
  for (std::uint64_t i = 0; i < 10; ++i) {
    ASSERT_EQ(write(object, i), 0U);
  }
  EXPECT_EQ(ring->consume([](std::span<const std::byte>) {}, 4), 4U);
  EXPECT_EQ(ring->consume([](std::span<const std::byte>) {}), 6U);
}

TEST_F(RingBufferTest, IsReadableWhenItHoldsRecords) {
  const Object object = writer();
  const auto ring = RingBuffer::open(object.maps.at(0));
  const std::vector<int> descriptors = {ring->descriptor()};
  EXPECT_EQ(wait_readable(descriptors, std::chrono::milliseconds(0)).value(),
            std::vector<bool>{false});
  ASSERT_EQ(write(object, 1), 0U);
  EXPECT_EQ(wait_readable(descriptors, std::chrono::milliseconds(1000)).value(),
            std::vector<bool>{true});
}

}  // namespace
}  // namespace kinst::live
