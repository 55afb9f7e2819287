#include "pipeline/batch_choice.h"

#include <gtest/gtest.h>

#include "fakes.h"

namespace headroom::pipeline {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

/// Batches that are worth counting: 10 kB an atom.
class HungryEncoder : public test::FakeEncoder {
 public:
  std::uint64_t batch_bytes(const memory::BatchLoad& load) const override { return 10000 * load.atoms; }
};

TEST(BatchChoice, TakesTheUsualBatchesWhereThereIsRoom) {
  const HungryEncoder encoder;
  const auto choice = choose_batches(encoder, {.host = 4096 * kMebibyte, .device = {}}, 8, 0);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->workers, 8U);
  EXPECT_EQ(choice->batch_atoms, kUsualBatchAtoms);
  EXPECT_EQ(choice->device_bytes, 0U);
}

TEST(BatchChoice, StaysWithinItsRoomAndIsMonotone) {
  const HungryEncoder encoder;
  const std::uint64_t smallest = smallest_choice(encoder, false, 0).host_bytes;
  EXPECT_FALSE(choose_batches(encoder, {.host = smallest - 1, .device = {}}, 8, 0));
  std::size_t workers = 0;
  for (std::uint64_t room = smallest; room < 400 * kMebibyte; room += kMebibyte) {
    const auto choice = choose_batches(encoder, {.host = room, .device = {}}, 8, 0);
    ASSERT_TRUE(choice) << room;
    EXPECT_LE(choice->host_bytes, room);
    EXPECT_GE(choice->workers, workers);
    workers = choice->workers;
  }
  EXPECT_EQ(workers, 8U);
}

TEST(BatchChoice, KeepsForcedBatchesAndGivesUpWorkers) {
  const HungryEncoder encoder;
  const std::uint64_t one = smallest_choice(encoder, false, 5000).host_bytes;
  const auto choice = choose_batches(encoder, {.host = 2 * one, .device = {}}, 8, 5000);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->batch_atoms, 5000U);
  EXPECT_GE(choice->workers, 1U);
  EXPECT_LT(choice->workers, 8U);
}

TEST(BatchChoice, CountsTensorsOnTheDeviceThatHoldsThem) {
  const HungryEncoder encoder;
  const auto choice = choose_batches(encoder, {.host = 200 * kMebibyte, .device = 25 * kMebibyte}, 4, 0);
  ASSERT_TRUE(choice);
  EXPECT_LE(choice->device_bytes, 25 * kMebibyte);
  EXPECT_GT(choice->device_bytes, 10 * kMebibyte);
  EXPECT_FALSE(choose_batches(encoder, {.host = 200 * kMebibyte, .device = kMebibyte}, 4, 0));
}

}  // namespace
}  // namespace headroom::pipeline
