#include <gtest/gtest.h>

#include "base/core/session/log.h"
#include "base/memory/recover/refused_allocations.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "clusters.h"
#include "molecules/baselines/classifier/classifier_trainer.h"

namespace molgauge::baselines {
namespace {

void expect_same_result_whatever_is_refused(const ClassifierData& data, const ClassifierOptions& options) {
  ClassifierTraining expected = train_classifier(data, options);
  const std::uint64_t allocations =
      test::count_allocations([&] { expected = train_classifier(data, options); });
  test::refuse_each(allocations, 80, [&](std::uint64_t) {
    const ClassifierTraining actual = train_classifier(data, options);
    EXPECT_EQ(actual.oom_recoveries, 1U);
    EXPECT_TRUE(at::equal(actual.best.parameters().all, expected.best.parameters().all));
    EXPECT_TRUE(actual.epoch_losses == expected.epoch_losses);
    EXPECT_EQ(actual.best_selection, expected.best_selection);
  });
}

TEST(ClassifierRecovery, TrainsAsUndisturbedWhateverAllocationIsRefused) {
  set_log_level(LogLevel::off);
  torch::cpu_tensor_memory();
  ClassifierOptions options = test::small_options();
  options.epochs = 4;
  expect_same_result_whatever_is_refused(test::classifier_data(LabelKind::classes, 3), options);
  expect_same_result_whatever_is_refused(test::classifier_data(LabelKind::tasks, 2), options);
  options.objective = ObjectiveKind::auc_margin;
  expect_same_result_whatever_is_refused(test::classifier_data(LabelKind::classes, 2), options);
}

}  // namespace
}  // namespace molgauge::baselines
