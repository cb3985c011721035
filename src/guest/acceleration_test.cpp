#include "guest/acceleration.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace kinst::guest {
namespace {

namespace fs = std::filesystem;

class AccelerationTest : public testing::Test {
 protected:
  void TearDown() override { fs::remove_all(memory_.parent_path()); }

  fs::path memory_ = fs::path(testing::TempDir()) / "kinst-acceleration" / "kvm";
};

TEST_F(AccelerationTest, IsAbsentWithoutTheDevice) {
  EXPECT_EQ(recall(memory_, "boot", "/nonexistent"), Kvm::Absent);
}

TEST_F(AccelerationTest, IsUntriedUntilAVerdictIsRemembered) {
  EXPECT_EQ(recall(memory_, "boot", "/dev/null"), Kvm::Untried);
  remember(memory_, "boot", Kvm::Fails);
  EXPECT_EQ(recall(memory_, "boot", "/dev/null"), Kvm::Fails);
  remember(memory_, "boot", Kvm::Works);
  EXPECT_EQ(recall(memory_, "boot", "/dev/null"), Kvm::Works);
}

TEST_F(AccelerationTest, IsTriedAnewAfterTheMachineBooted) {
  remember(memory_, "first", Kvm::Fails);
  EXPECT_EQ(recall(memory_, "another", "/dev/null"), Kvm::Untried);
}

}  // namespace
}  // namespace kinst::guest
