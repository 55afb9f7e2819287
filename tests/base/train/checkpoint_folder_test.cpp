#include "base/train/checkpoint_folder.h"

#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "support/fixtures.h"

namespace molgauge::train {
namespace {

TEST(CheckpointFolder, KeepsTheThreeLatestAndLeavesOtherFilesAlone) {
  const test::TemporaryFolder folder;
  const CheckpointFolder checkpoints(folder.path());
  EXPECT_FALSE(checkpoints.newest().has_value());
  for (const std::size_t epoch : {0, 5, 10, 1000}) {
    replace_file(checkpoints.of_epoch(epoch), "x");
  }
  replace_file(folder / "checkpoint_epoch_mine.safetensors", "x");
  checkpoints.rotate();
  EXPECT_FALSE(std::filesystem::exists(checkpoints.of_epoch(0)));
  EXPECT_TRUE(std::filesystem::exists(folder / "checkpoint_epoch_005.safetensors"));
  EXPECT_TRUE(std::filesystem::exists(folder / "checkpoint_epoch_mine.safetensors"));
  EXPECT_EQ(checkpoints.newest(), checkpoints.of_epoch(1000));
  replace_file(checkpoints.last(), "x");
  EXPECT_EQ(checkpoints.newest(), checkpoints.last());
}

TEST(CheckpointFolder, EveryFifthAndTheLastPlannedEpochAreKept) {
  EXPECT_TRUE(CheckpointFolder::is_kept(0, 33));
  EXPECT_TRUE(CheckpointFolder::is_kept(30, 33));
  EXPECT_FALSE(CheckpointFolder::is_kept(31, 33));
  EXPECT_TRUE(CheckpointFolder::is_kept(32, 33));
}

}  // namespace
}  // namespace molgauge::train
