#include "molecules/ood/run/training_summary.h"

#include <cmath>

#include <gtest/gtest.h>

namespace molgauge::ood {
namespace {

std::vector<EpochRecord> epochs_with(const std::vector<double>& losses) {
  std::vector<EpochRecord> epochs;
  for (const double loss : losses) {
    EpochRecord& epoch = epochs.emplace_back();
    epoch.train_loss = loss;
    epoch.validation_loss = 2 * loss;
    epoch.gradient_norm = loss / 4;
  }
  return epochs;
}

TEST(TrainingSummary, OfAnOddNumberOfEpochs) {
  const TrainingSummary summary = summarize_training(epochs_with({8, 4, 2, 2, 4}));
  EXPECT_EQ(summary.final_train_loss, 4);
  EXPECT_EQ(summary.final_validation_loss, 8);
  EXPECT_EQ(summary.largest_gradient_norm, 2);
  EXPECT_EQ(summary.mean_gradient_norm, 1);
  // The first half of the five losses is 8 and 4, and the second half is 2, 2 and 4.
  EXPECT_NEAR(summary.convergence_rate, (6 - 8.0 / 3) / 6, 1e-12);
  EXPECT_NEAR(summary.stability_score, 1 / (1 + std::sqrt((16 + 0 + 4 + 4 + 0) / 5.0) / 4), 1e-12);
}

TEST(TrainingSummary, OfOneEpoch) {
  const TrainingSummary summary = summarize_training(epochs_with({3}));
  EXPECT_EQ(summary.convergence_rate, 0);
  EXPECT_EQ(summary.stability_score, 1);
}

/// Every pair satisfies the hinge, so the loss is 0. Files contain only finite numbers.
TEST(TrainingSummary, OfLossesThatAreAllZero) {
  const TrainingSummary summary = summarize_training(epochs_with({0, 0, 0, 0}));
  EXPECT_EQ(summary.convergence_rate, 0);
  EXPECT_EQ(summary.stability_score, 1);
  const TrainingSummary later = summarize_training(epochs_with({0, 0, 1, 3}));
  EXPECT_EQ(later.convergence_rate, 0);
  EXPECT_NEAR(later.stability_score, 1 / (1 + std::sqrt(1.5)), 1e-12);
}

}  // namespace
}  // namespace molgauge::ood
