#include "molecules/ood/run/training_pairs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge::ood {
namespace {

using testing::ElementsAre;

TEST(TrainingPairs, DrawTheOodRowBeforeTheIdRow) {
  // Python: r = random.Random(42); [(r.randrange(5), r.randrange(7)) for _ in range(4)]
  TrainingPairs pairs(7, 5, 42);
  const TrainingPairs::Batch batch = pairs.draw(4);
  EXPECT_THAT(batch.ood, ElementsAre(0, 2, 1, 0));
  EXPECT_THAT(batch.id, ElementsAre(0, 1, 1, 5));
}

TEST(TrainingPairs, AnEpochIsAsLongAsTheSmallerSide) {
  EXPECT_EQ(TrainingPairs(7, 5, 1).epoch_items(), 5U);
  EXPECT_EQ(TrainingPairs(3, 5, 1).epoch_items(), 3U);
}

TEST(TrainingPairs, BatchesOfAnySizeDrawTheSamePairs) {
  TrainingPairs whole(2000, 1500, 38), parts(2000, 1500, 38);
  const TrainingPairs::Batch expected = whole.draw(10);
  TrainingPairs::Batch joined;
  for (const std::size_t items : {3, 1, 6}) {
    const TrainingPairs::Batch batch = parts.draw(items);
    joined.id.insert(joined.id.end(), batch.id.begin(), batch.id.end());
    joined.ood.insert(joined.ood.end(), batch.ood.begin(), batch.ood.end());
  }
  EXPECT_EQ(joined.id, expected.id);
  EXPECT_EQ(joined.ood, expected.ood);
}

TEST(TrainingPairs, GoOnFromASavedState) {
  TrainingPairs pairs(2000, 1500, 38);
  pairs.draw(700);
  const std::string state = pairs.state();
  const TrainingPairs::Batch expected = pairs.draw(50);
  TrainingPairs resumed(2000, 1500, 0);
  resumed.restore(state);
  const TrainingPairs::Batch batch = resumed.draw(50);
  EXPECT_EQ(batch.id, expected.id);
  EXPECT_EQ(batch.ood, expected.ood);
  EXPECT_THROW(resumed.restore("624 1 2 3"), InputError);
}

TEST(TrainingPairs, RefuseAnEmptySide) {
  EXPECT_THROW(TrainingPairs(0, 5, 1), InputError);
  EXPECT_THROW(TrainingPairs(5, 0, 1), InputError);
}

}  // namespace
}  // namespace molgauge::ood
