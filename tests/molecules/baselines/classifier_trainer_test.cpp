#include "molecules/baselines/classifier/classifier_trainer.h"

#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "clusters.h"
#include "molecules/baselines/classifier/classifier_plan.h"

namespace molgauge::baselines {
namespace {

using test::classifier_data;
using test::small_options;

TEST(ClassifierTrainer, LearnsEveryKindOfLabel) {
  EXPECT_GT(train_classifier(classifier_data(LabelKind::classes, 2), small_options()).best_selection, 0.95);
  EXPECT_GT(train_classifier(classifier_data(LabelKind::classes, 3), small_options()).best_selection, 0.95);
  EXPECT_GT(train_classifier(classifier_data(LabelKind::tasks, 3), small_options()).best_selection, 0.95);
  const auto regression = train_classifier(classifier_data(LabelKind::continuous, 3), small_options());
  EXPECT_EQ(regression.selection, "negative_squared_error");
  EXPECT_GT(regression.best_selection, -0.5);
}

TEST(ClassifierTrainer, ThreeClassesAreClasses) {
  const auto training = train_classifier(classifier_data(LabelKind::classes, 3), small_options());
  EXPECT_EQ(training.best.shape().outputs, 3);
  EXPECT_EQ(training.selection, "accuracy");
}

TEST(ClassifierTrainer, MaximisesTheAuc) {
  ClassifierOptions options = small_options();
  options.objective = ObjectiveKind::auc_margin;
  for (const auto& [kind, classes] :
       {std::pair(LabelKind::classes, 2), std::pair(LabelKind::classes, 3), std::pair(LabelKind::tasks, 3)}) {
    const auto training = train_classifier(classifier_data(kind, classes), options);
    EXPECT_EQ(training.selection, "auroc");
    EXPECT_GT(training.best_selection, 0.95);
  }
  EXPECT_THROW(train_classifier(classifier_data(LabelKind::continuous, 3), options), UsageError);
}

TEST(ClassifierTrainer, SameSeedSameBytesForAnyNumberOfThreads) {
  const int before = at::get_num_threads();
  const auto data = classifier_data(LabelKind::classes, 2);
  at::set_num_threads(1);
  const auto one = train_classifier(data, small_options());
  at::set_num_threads(2);
  const auto two = train_classifier(data, small_options());
  at::set_num_threads(before);
  EXPECT_TRUE(at::equal(one.best.parameters().all, two.best.parameters().all));
  ClassifierOptions other = small_options();
  other.seed = 43;
  EXPECT_FALSE(at::equal(one.best.parameters().all, train_classifier(data, other).best.parameters().all));
}

TEST(ClassifierTrainer, TakesALastBatchOfASingleRow) {
  auto data = classifier_data(LabelKind::classes, 2);
  ClassifierOptions options = small_options();
  options.batch_size = 199;
  EXPECT_TRUE(std::isfinite(train_classifier(data, options).epoch_losses.back()));
}

/// The plan equals the memory that the training adds to the existing features.
TEST(ClassifierTrainer, TakesWhatIsPlanned) {
  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  ClassifierData data{{at::randn({300, 64}), class_labels(std::vector<int>(300), 2)},
                      {at::randn({3000, 64}), class_labels(std::vector<int>(3000), 2)}};
  for (std::int64_t row = 0; row < 300; row += 2) {
    data.train.labels.values[row] = 1;
  }
  ClassifierOptions options = small_options();
  options.hidden = 96;
  options.batch_size = 128;
  options.epochs = 2;
  const std::uint64_t living = meter.allocated_bytes();
  const MemoryPlan plan =
      plan_classifier(options, {.width = 64, .outputs = 2, .training = 300, .validation = 3000},
                      std::uint64_t{1} << 30, living);
  ASSERT_TRUE(plan.chosen);
  meter.reset_peak();
  train_classifier(data, options);
  const std::uint64_t taken = meter.peak_bytes() - living;
  const std::uint64_t projected = plan.alternatives[*plan.chosen].projected_bytes;
  EXPECT_LE(taken, projected);
  EXPECT_GE(taken, projected * 8 / 10);
  EXPECT_FALSE(plan_classifier(options, {.width = 64, .outputs = 2, .training = 300, .validation = 3000},
                               projected / 2, living)
                   .chosen);
}

TEST(ClassifierTrainer, ABatchIsNoLargerThanItsMolecules) {
  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  const auto data = classifier_data(LabelKind::classes, 2);
  const auto peak_of = [&](std::size_t batch_size) {
    ClassifierOptions options = small_options();
    options.batch_size = batch_size;
    const std::uint64_t living = meter.allocated_bytes();
    meter.reset_peak();
    train_classifier(data, options);
    return meter.peak_bytes() - living;
  };
  const std::uint64_t all = peak_of(200);
  EXPECT_LT(peak_of(20), all);
  EXPECT_EQ(peak_of(199), all);
  for (const std::size_t beyond : {201UL, 2000000UL, 9223372036854775807UL, 18446744073709551615UL}) {
    EXPECT_EQ(peak_of(beyond), all) << beyond;
  }
}

TEST(ClassifierTrainer, SaysWhenItDiverges) {
  ClassifierOptions options = small_options();
  options.objective = ObjectiveKind::auc_margin;
  // There is a single step. Its loss is computed with the parameters before the step.
  options.epochs = 1;
  options.batch_size = 200;
  options.pesg.learning_rate = 1e20;
  try {
    train_classifier(classifier_data(LabelKind::classes, 2), options);
    FAIL() << "a diverged classifier was accepted";
  } catch (const Error& failure) {
    EXPECT_EQ(failure.code(), ExitCode::failed);
    EXPECT_THAT(failure.what(), testing::HasSubstr("no longer a finite number"));
  }
}

TEST(ClassifierTrainer, SaysWhenItCollapsed) {
  auto data = classifier_data(LabelKind::classes, 2);
  // The features carry no information, and one class has the majority.
  data.train.features = at::ones({200, 12});
  data.validation.features = at::ones({60, 12});
  ClassifierOptions options = small_options();
  options.epochs = 2;
  EXPECT_TRUE(train_classifier(data, options).collapsed);
  EXPECT_FALSE(train_classifier(classifier_data(LabelKind::classes, 2), small_options()).collapsed);
}

TEST(ClassifierTrainer, StopsEarlyAndOnRequest) {
  const auto data = classifier_data(LabelKind::classes, 2);
  ClassifierOptions options = small_options();
  options.layers = 2;  // no normalisation, because its statistics would change
  options.adam.learning_rate = 1e-30;
  options.patience = 3;
  const auto training = train_classifier(data, options);
  EXPECT_EQ(training.epochs_run, 4U);
  EXPECT_EQ(training.best_epoch, 0U);
  EXPECT_TRUE(training.stopped_early);
  EXPECT_THROW(train_classifier(data, small_options(), [](std::size_t) { request_cancellation(); }),
               Interrupted);
  request_cancellation(false);
}

TEST(ClassifierTrainer, RefusesWhatCannotBeLearned) {
  auto data = classifier_data(LabelKind::classes, 2);
  data.train.labels.values = at::zeros({200, 1});
  EXPECT_THROW(train_classifier(data, small_options()), InputError);
  data = classifier_data(LabelKind::classes, 2);
  data.train.features[3][4] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(train_classifier(data, small_options()), InputError);
  data = classifier_data(LabelKind::classes, 2);
  data.validation.labels = data.validation.labels.rows_of(0, 10);
  EXPECT_THROW(train_classifier(data, small_options()), InputError);
  ClassifierOptions options = small_options();
  options.dropout = 1;
  EXPECT_THROW(train_classifier(classifier_data(LabelKind::classes, 2), options), UsageError);
}

TEST(Labels, AreChecked) {
  const std::vector<int> beyond = {0, 3};
  EXPECT_THROW(class_labels(beyond, 3), InputError);
  EXPECT_THROW(task_labels(at::full({2, 2}, 0.5)), InputError);
}

}  // namespace
}  // namespace molgauge::baselines
