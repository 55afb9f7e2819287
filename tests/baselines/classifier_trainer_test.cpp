#include "baselines/classifier_trainer.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "clusters.h"
#include "core/cancellation.h"
#include "core/error.h"

namespace headroom::baselines {
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

TEST(ClassifierTrainer, SaysWhenItCollapsed) {
  auto data = classifier_data(LabelKind::classes, 2);
  // Features that tell nothing, and a majority.
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
  options.layers = 2;  // no normalisation, whose statistics would move
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

TEST(Labels, AreCheckedAndGuessed) {
  const std::vector<int> beyond = {0, 3};
  EXPECT_THROW(class_labels(beyond, 3), InputError);
  EXPECT_THROW(task_labels(at::full({2, 2}, 0.5)), InputError);
  const std::vector<float> integers = {0, 1, 2, 1}, measured = {0, 1.5F};
  EXPECT_FALSE(look_continuous(integers));
  EXPECT_TRUE(look_continuous(measured));
}

}  // namespace
}  // namespace headroom::baselines
