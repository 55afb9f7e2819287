#include "molecules/baselines/detectors/methods.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "clusters.h"
#include "molecules/baselines/detectors/logit_scores.h"
#include "molecules/ood/metrics/metrics.h"

namespace molgauge::baselines {
namespace {

struct Case {
  LabelKind kind;
  int classes;
};

class Methods : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    data_ = test::classifier_data(GetParam().kind, GetParam().classes);
    model_ = {std::make_shared<Classifier>(train_classifier(data_, test::small_options()).best),
              GetParam().kind};
    options_.knn.neighbours = 10;
  }
  std::unique_ptr<Detector> fitted(const std::string& method) {
    auto detector =
        objective_of(method) ? make_detector(method, model_, options_) : make_detector(method, options_);
    detector->fit({data_.train, data_.validation.features, {}});
    return detector;
  }
  ClassifierData data_;
  TrainedClassifier model_;
  MethodOptions options_;
};

TEST_P(Methods, ScoreRowsToTheSameBytesInAnyBatch) {
  const at::Tensor features = test::clusters(70, GetParam().classes, 9).features;
  for (const std::string& method : method_names()) {
    const auto detector = fitted(method);
    const std::vector<float> together = detector->score(features, {1000, 1});
    ASSERT_EQ(together.size(), 70U) << method;
    for (const std::size_t batch_size : {1U, 3U, 8U, 33U}) {
      // The rows are scored in reverse order and without the last rows. Every molecule then has another
      // position in its batch.
      std::vector<float> apart = detector->score(features.flip(0).slice(0, batch_size), {batch_size, 2});
      std::reverse(apart.begin(), apart.end());
      for (std::size_t i = 0; i < apart.size(); ++i) {
        EXPECT_EQ(apart[i], together[i]) << method << " row " << i << ", batches of " << batch_size;
      }
    }
  }
}

TEST_P(Methods, FindWhatIsFarAway) {
  const at::Tensor near = test::clusters(60, GetParam().classes, 9).features;
  const at::Tensor far = test::clusters(60, GetParam().classes, 10).features.flip(1) * 3;
  for (const std::string method : {"mahalanobis", "knn", "lof", "raw_mahalanobis", "raw_knn"}) {
    const auto detector = fitted(method);
    const std::vector<float> id = detector->score(near), ood = detector->score(far);
    EXPECT_GT(ood::detection_metrics(std::span<const float>(id), std::span<const float>(ood)).auroc, 0.8)
        << method;
  }
}

TEST_P(Methods, AFailedMoleculeHasNoScore) {
  at::Tensor features = test::clusters(4, GetParam().classes, 9).features;
  features[2][5] = std::numeric_limits<float>::quiet_NaN();
  for (const std::string& method : method_names()) {
    const std::vector<float> scores = fitted(method)->score(features);
    EXPECT_TRUE(std::isnan(scores[2])) << method;
    EXPECT_TRUE(std::isfinite(scores[1])) << method;
  }
}

/// Scoring reads the features directly from CPU memory.
TEST_P(Methods, RefuseFeaturesOfAnotherDevice) {
  const at::Tensor elsewhere = at::empty({4, 12}, at::TensorOptions(at::kFloat).device(at::kMeta));
  for (const std::string& method : method_names()) {
    EXPECT_THROW(fitted(method)->score(elsewhere), c10::Error) << method;
  }
}

INSTANTIATE_TEST_SUITE_P(Labels, Methods,
                         testing::Values(Case{LabelKind::classes, 2}, Case{LabelKind::classes, 3},
                                         Case{LabelKind::tasks, 3}, Case{LabelKind::continuous, 3}));

TEST(LogitScores, OfThreeClasses) {
  const at::Tensor logits = at::tensor({1.0F, 1.0F, 1.0F, 50.0F, 0.0F, 0.0F}).view({2, 3});
  const std::vector<float> sure = confidence(logits, LabelKind::classes);
  EXPECT_FLOAT_EQ(sure[0], 1.0F / 3);
  EXPECT_FLOAT_EQ(sure[1], 1);
  EXPECT_FLOAT_EQ(free_energy(logits, LabelKind::classes)[0], -1 - std::log(3.0F));
}

TEST(LogitScores, OfThreeTasks) {
  const at::Tensor logits = at::tensor({0.0F, 0.0F, -60.0F}).view({1, 3});
  EXPECT_FLOAT_EQ(confidence(logits, LabelKind::tasks)[0], 2.0F / 3);
  EXPECT_FLOAT_EQ(free_energy(logits, LabelKind::tasks)[0], -(2 * std::log(2.0F) + 60) / 3);
}

/// A classifier of two classes that was trained by AUC maximisation. Another classifier differs only in
/// output 0, which is not trained.
TEST(Dam, WithTwoClassesReadsTheTrainedOutputAlone) {
  const ClassifierData data = test::classifier_data(LabelKind::classes, 2);
  ClassifierOptions options = test::small_options();
  options.objective = ObjectiveKind::auc_margin;
  const Classifier trained = train_classifier(data, options).best;
  auto tensors = trained.to_tensors();
  std::size_t changed = 0;
  for (auto& [name, tensor] : tensors) {
    if (tensor.shape.size() == 1 && tensor.shape[0] == 2) {  // biases of the two outputs
      std::vector<float> numbers = tensor.to_float32();
      numbers[0] += 5;
      tensor = io::TensorData::from_float32(tensor.shape, numbers.data());
      ++changed;
    }
  }
  ASSERT_EQ(changed, 1U);
  const auto scores = [&](const std::string& method, const io::TensorMap& of) {
    const TrainedClassifier model{std::make_shared<Classifier>(Classifier::from_tensors(of, "test")),
                                  LabelKind::classes};
    return make_detector(method, model, {})->score(data.validation.features);
  };
  for (const std::string method : {"dam_msp", "dam_energy"}) {
    EXPECT_EQ(scores(method, trained.to_tensors()), scores(method, tensors)) << method;
    const std::string two = method + "_two_outputs";
    EXPECT_NE(scores(two, trained.to_tensors()), scores(two, tensors)) << two;
  }
}

TEST(MethodNames, OfAllAreTwelve) {
  EXPECT_EQ(method_names().size(), 12U);
  EXPECT_EQ(methods_of("all"), method_names());
  EXPECT_EQ(all_method_names().size(), 17U);
  EXPECT_EQ(methods_of("dam_msp_two_outputs").size(), 1U);
  EXPECT_EQ(methods_of("lof"), std::vector<std::string>{"lof"});
  EXPECT_THROW(methods_of("nothing"), UsageError);
}

/// A classifier that has collapsed gives all molecules nearly equal hidden features.
TEST(RawFeatures, DoNotDependOnClassifierOrLabels) {
  ClassifierData data = test::classifier_data(LabelKind::classes, 2);
  const at::Tensor features = test::clusters(20, 2, 9).features;
  MethodOptions options;
  options.knn.neighbours = 10;
  for (const char* method : {"raw_mahalanobis", "raw_knn"}) {
    EXPECT_FALSE(objective_of(method)) << method;
    EXPECT_FALSE(reads_labels(method)) << method;
    const auto labelled = make_detector(method, options), unlabelled = make_detector(method, options);
    labelled->fit({data.train, data.validation.features, {}});
    unlabelled->fit({{data.train.features, {}}, data.validation.features, {}});
    EXPECT_EQ(unlabelled->score(features), labelled->score(features)) << method;
  }
}

TEST(RawNeighbourDistance, ComparesDirections) {
  MethodOptions options;
  options.knn.neighbours = 1;
  const auto detector = make_detector("raw_knn", options);
  detector->fit({{at::tensor({3.0F, 0.0F, 0.0F, 5.0F}).view({2, 2}), {}}, {}, {}});
  const std::vector<float> scores =
      detector->score(at::tensor({7.0F, 0.0F, 1.0F, 1.0F, 0.0F, 0.0F}).view({3, 2}));
  EXPECT_FLOAT_EQ(scores[0], 0);
  EXPECT_FLOAT_EQ(scores[1], std::sqrt(2 - std::sqrt(2.0F)));
  EXPECT_FLOAT_EQ(scores[2], 1) << "features of zeros have no direction";
}

TEST(NeighbourDistance, RefusesMoreNeighboursThanMolecules) {
  const auto data = test::classifier_data(LabelKind::classes, 2);
  const TrainedClassifier model{
      std::make_shared<Classifier>(ClassifierShape{.inputs = 12, .hidden = 4, .layers = 2, .outputs = 2}, 1),
      LabelKind::classes};
  MethodOptions options;
  options.knn.neighbours = 201;
  EXPECT_THROW(make_detector("knn", model, options)->fit({data.train, {}, {}}), InputError);
  EXPECT_THROW(make_detector("raw_knn", options)->fit({data.train, {}, {}}), InputError);
  EXPECT_THROW(make_detector("conformal", model, options)->fit({data.train, {}, {}}), InputError);
  options.mc_dropout = {1, DropoutUncertainty::variance, 0.5, 1};
  EXPECT_THROW(make_detector("mc_dropout", model, options), UsageError);
}

}  // namespace
}  // namespace molgauge::baselines
