#include "base/train/early_stopping.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge::train {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::size_t epochs_run(EarlyStopping stopping, const std::vector<double>& aurocs) {
  std::size_t epochs = 0;
  for (const double auroc : aurocs) {
    stopping.observe_epoch(auroc);
    ++epochs;
    if (stopping.should_stop()) {
      break;
    }
  }
  return epochs;
}

TEST(EarlyStopping, PlainStopsAfterPatienceEpochsWithoutGain) {
  const EarlyStopping stopping(EarlyStoppingRule::plain, 3);
  EXPECT_EQ(epochs_run(stopping, {0.5, 0.6, 0.6, 0.6, 0.6, 0.6}), 5U);
  EXPECT_EQ(epochs_run(stopping, {0.5, 0.5, 0.5, 0.6, 0.5, 0.5, 0.5, 0.5}), 7U);
  EXPECT_EQ(epochs_run(stopping, {0.5, kNaN, kNaN, kNaN, kNaN}), 4U);
  EXPECT_EQ(epochs_run(stopping, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}), 6U);
}

TEST(EarlyStopping, ReferenceStopsOneEpochEarlierAndIgnoresNaN) {
  const EarlyStopping stopping(EarlyStoppingRule::reference, 3);
  EXPECT_EQ(epochs_run(stopping, {0.5, 0.6, 0.6, 0.6, 0.6, 0.6}), 4U);
  EXPECT_EQ(epochs_run(stopping, {0.5, kNaN, kNaN, kNaN, kNaN}), 5U);
}

TEST(EarlyStopping, GainInMidEpochCountsForPlainOnly) {
  EarlyStopping plain(EarlyStoppingRule::plain, 2), reference(EarlyStoppingRule::reference, 2);
  for (EarlyStopping* stopping : {&plain, &reference}) {
    EXPECT_TRUE(stopping->observe_epoch(0.5));
    EXPECT_TRUE(stopping->observe_mid_epoch(0.7));
    EXPECT_FALSE(stopping->observe_epoch(0.6));
  }
  EXPECT_EQ(plain.state().counter, 0U);
  EXPECT_EQ(reference.state().counter, 2U);
  EXPECT_FALSE(plain.observe_epoch(0.65));
  EXPECT_EQ(plain.state().counter, 1U);
}

TEST(EarlyStopping, GoesOnFromItsState) {
  EarlyStopping first(EarlyStoppingRule::plain, 2), second(EarlyStoppingRule::plain, 2);
  first.observe_epoch(0.6);
  first.observe_epoch(0.5);
  second.restore(first.state());
  EXPECT_FALSE(second.observe_epoch(0.6));
  EXPECT_TRUE(second.should_stop());
}

}  // namespace
}  // namespace molgauge::train
