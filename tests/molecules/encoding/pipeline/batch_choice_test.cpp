#include "molecules/encoding/pipeline/batch_choice.h"

#include <gtest/gtest.h>

#include "fakes.h"

namespace molgauge::pipeline {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

/// Chooses batches for an encoder that needs 10 kB for each atom, so that memory limits the batches.
class BatchChoiceOfAHungryEncoder : public testing::Test {
 protected:
  static std::uint64_t hunger(std::size_t atoms) { return 10000 * atoms; }

  test::FakeEncoder encoder_;
  BatchChooser chooser_{encoder_, hunger, {}, /*on_device=*/false};
  BatchChooser on_device_{encoder_, hunger, {}, /*on_device=*/true};
};

TEST_F(BatchChoiceOfAHungryEncoder, TakesTheUsualBatchesWhereThereIsRoom) {
  const auto choice = chooser_.choose({.host = 4096 * kMebibyte, .device = {}}, 8, 0);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->workers, 8U);
  EXPECT_EQ(choice->batch_tokens, kUsualBatchTokens);
  EXPECT_EQ(choice->device_bytes, 0U);
  EXPECT_EQ(choice->tensor_bytes, 8 * hunger(kUsualBatchTokens));
}

TEST_F(BatchChoiceOfAHungryEncoder, TakesLargerBatchesOnAGpu) {
  const auto choice = on_device_.choose({.host = 4096 * kMebibyte, .device = 4096 * kMebibyte}, 8, 0);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->batch_tokens, kUsualGpuBatchTokens);
  EXPECT_EQ(choice->tensor_bytes, 8 * hunger(kUsualGpuBatchTokens));
}

TEST_F(BatchChoiceOfAHungryEncoder, StaysWithinItsRoomAndIsMonotone) {
  const std::uint64_t smallest = chooser_.smallest(0).host_bytes;
  EXPECT_FALSE(chooser_.choose({.host = smallest - 1, .device = {}}, 8, 0));
  std::size_t workers = 0;
  for (std::uint64_t room = smallest; room < 400 * kMebibyte; room += kMebibyte) {
    const auto choice = chooser_.choose({.host = room, .device = {}}, 8, 0);
    ASSERT_TRUE(choice) << room;
    EXPECT_LE(choice->host_bytes, room);
    EXPECT_GE(choice->workers, workers);
    workers = choice->workers;
  }
  EXPECT_EQ(workers, 8U);
}

TEST_F(BatchChoiceOfAHungryEncoder, KeepsForcedBatchesAndGivesUpWorkers) {
  const std::uint64_t one = chooser_.smallest(5000).host_bytes;
  const auto choice = chooser_.choose({.host = 2 * one, .device = {}}, 8, 5000);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->batch_tokens, 5000U);
  EXPECT_GE(choice->workers, 1U);
  EXPECT_LT(choice->workers, 8U);
}

TEST_F(BatchChoiceOfAHungryEncoder, CountsTensorsOnTheDeviceThatHoldsThem) {
  const auto choice = on_device_.choose({.host = 200 * kMebibyte, .device = 25 * kMebibyte}, 4, 0);
  ASSERT_TRUE(choice);
  EXPECT_LE(choice->device_bytes, 25 * kMebibyte);
  EXPECT_GT(choice->device_bytes, 10 * kMebibyte);
  EXPECT_FALSE(on_device_.choose({.host = 200 * kMebibyte, .device = kMebibyte}, 4, 0));
}

TEST_F(BatchChoiceOfAHungryEncoder, CountsTheLargestRecordOnTheHost) {
  RecordSizes records;
  records.largest = {.tokens = 2000, .pairs = 4000};
  records.featurising_bytes = 30 * kMebibyte;
  records.longest_text = kMebibyte;
  const BatchChooser large(encoder_, hunger, records, /*on_device=*/false);
  const std::uint64_t more = large.smallest(0).host_bytes - chooser_.smallest(0).host_bytes;
  EXPECT_GE(more, 32 * kMebibyte);
  const auto two = large.choose({.host = 4096 * kMebibyte, .device = {}}, 2, 0);
  const auto one = large.choose({.host = 4096 * kMebibyte, .device = {}}, 1, 0);
  EXPECT_GE(two->host_bytes - one->host_bytes, 30 * kMebibyte) << "each worker featurises one";
}

}  // namespace
}  // namespace molgauge::pipeline
