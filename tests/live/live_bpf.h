// What the live tests share: whether BPF may be used here, and small programs.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bpf/code/function_builder.h"
#include "bpf/code/link.h"
#include "bpf/load/load.h"

namespace kinst::live {

/// Skips each test where the kernel refuses BPF, with the kernel's reason.
class Live : public testing::Test {
 protected:
  void SetUp() override {
    const auto map = bpf::Map::create({.name = "allowed", .value_size = 8});
    if (!map) {
      GTEST_SKIP() << map.error().message;
    }
  }
};

/// tests/bpf/fixture.c as the build compiled it.
inline bpf::Runtime fixture() {
  std::ifstream file(KINST_BPF_FIXTURE, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  const std::vector<std::span<const std::byte>> objects = {
      std::as_bytes(std::span(bytes))};
  return bpf::read_runtime(objects).value_or(bpf::Runtime{});
}

/// One program of one function, with the maps it uses.
inline bpf::ObjectSpecification single(bpf::FunctionBuilder builder,
                                       std::vector<bpf::MapSpecification> maps,
                                       bpf::ProgramType type) {
  bpf::ObjectSpecification object{.maps = std::move(maps)};
  object.programs.push_back(
      {.name = "test", .type = type, .functions = {std::move(builder).finish()}});
  return object;
}

/// Links and loads; the verifier's log goes into the test's message.
inline bpf::Object loaded(const bpf::ObjectSpecification& specification,
                          const bpf::Runtime& runtime = {}) {
  const auto image = bpf::link(specification, runtime);
  EXPECT_TRUE(image) << image.error().message;
  if (!image) {
    return {};
  }
  auto object = bpf::load(*image);
  EXPECT_TRUE(object) << object.error().message << "\n" << object.error().verifier_log;
  return object ? *std::move(object) : bpf::Object{};
}

/// The bytes of a value, to write it into a map.
template <typename T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

/// The value at a byte offset.
template <typename T>
T value_at(std::span<const std::byte> bytes, std::size_t offset = 0) {
  T value{};
  std::memcpy(&value, bytes.subspan(offset, sizeof value).data(), sizeof value);
  return value;
}

}  // namespace kinst::live
