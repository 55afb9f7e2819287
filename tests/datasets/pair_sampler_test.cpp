#include "datasets/pair_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"

namespace headroom::datasets {
namespace {

using testing::ElementsAre;

TEST(PairSampler, DrawsTheOodRowBeforeTheIdRow) {
  // Python: r = random.Random(42); [(r.randrange(5), r.randrange(7)) for _ in range(4)]
  PairSampler sampler(7, 5, 42);
  const PairBatch batch = sampler.draw(4);
  EXPECT_THAT(batch.ood, ElementsAre(0, 2, 1, 0));
  EXPECT_THAT(batch.id, ElementsAre(0, 1, 1, 5));
}

TEST(PairSampler, AnEpochIsAsLongAsTheSmallerSide) {
  EXPECT_EQ(PairSampler(7, 5, 1).epoch_length(), 5U);
  EXPECT_EQ(PairSampler(3, 5, 1).epoch_length(), 3U);
}

TEST(PairSampler, GoesOnFromASavedState) {
  PairSampler sampler(2000, 1500, 38);
  sampler.draw(700);
  const std::string state = sampler.state();
  const PairBatch expected = sampler.draw(50);
  PairSampler resumed(2000, 1500, 0);
  resumed.restore(state);
  const PairBatch batch = resumed.draw(50);
  EXPECT_EQ(batch.id, expected.id);
  EXPECT_EQ(batch.ood, expected.ood);
  EXPECT_THROW(resumed.restore("624 1 2 3"), InputError);
}

TEST(PairSampler, RefusesAnEmptySide) {
  EXPECT_THROW(PairSampler(0, 5, 1), InputError);
  EXPECT_THROW(PairSampler(5, 0, 1), InputError);
}

}  // namespace
}  // namespace headroom::datasets
