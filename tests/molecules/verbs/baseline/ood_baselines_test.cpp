// Tests baselines that train on the OOD molecules of energy heads.

#include <cmath>

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "molecules/baselines/classifier/classifier_loss.h"
#include "molecules/verbs/baseline/baseline_data.h"
#include "molecules/verbs/baseline/baseline_method.h"

namespace molgauge::verbs {
namespace {

/// Returns molecules around a point. The two classes of ID molecules differ in the first feature. OOD
/// molecules differ in the second feature.
at::Tensor molecules_around(double first, double second, std::int64_t count, std::int64_t seed) {
  at::Tensor features =
      0.3 * at::sin(at::arange(count * 4, at::kFloat) * static_cast<double>(seed)).reshape({count, 4});
  features.select(1, 0).add_(first);
  features.select(1, 1).add_(second);
  return features.contiguous();
}

BaselineData data_of_classes() {
  const at::Tensor id = at::cat({molecules_around(-2, 0, 60, 3), molecules_around(2, 0, 60, 5)});
  std::vector<int> classes(120);
  std::fill(classes.begin() + 60, classes.end(), 1);
  BaselineData data =
      share_validation({id, baselines::class_labels(classes, 2)}, {id, baselines::class_labels(classes, 2)},
                       molecules_around(2, 0, 40, 7), molecules_around(0, 3, 40, 11), false);
  data.validation_id = id;
  data.validation_ood = molecules_around(0, 3, 40, 13);
  return data;
}

double auroc_of(const std::string& method) {
  BaselineData data = data_of_classes();
  add_ood(method, molecules_around(0, 3, 80, 17), data.validation_ood, data);
  BaselineRequest request;
  request.method = method;
  request.epochs = 60;
  request.compute.threads = 1;
  const auto objective = baselines::objective_of(method);
  if (!objective) {
    return apply_method(request, method, {nullptr, baselines::LabelKind::continuous}, false, data)
        .result.auroc;
  }
  auto trained = train_for_baselines(request, *objective, data, {});
  const auto classifier = std::make_shared<baselines::Classifier>(std::move(trained.classifier));
  return apply_method(request, method, {classifier, data.train.labels.kind}, false, data).result.auroc;
}

TEST(OodBaselines, FindTheKindOfMoleculesThatTheyWereTrainedOn) {
  EXPECT_GT(auroc_of("ood_classifier"), 0.99);
  EXPECT_GT(auroc_of("outlier_exposure"), 0.95);
  EXPECT_GT(auroc_of("logistic_regression"), 0.99);
}

TEST(OodBaselines, LabelsTellIdFromOod) {
  BaselineData data = data_of_classes();
  add_ood("ood_classifier", molecules_around(0, 3, 80, 17), data.validation_ood, data);
  EXPECT_EQ(data.train.labels.values.sum().item<float>(), 80);
  EXPECT_EQ(data.selection.labels.values.sum().item<float>(), 40);
  EXPECT_EQ(data.train.features.size(0), 200);
  data = data_of_classes();
  data.train.labels.kind = baselines::LabelKind::continuous;
  EXPECT_THROW(add_ood("outlier_exposure", molecules_around(0, 3, 80, 17), data.validation_ood, data),
               InputError);
}

/// Raw features and detectors that learn OOD molecules need no labels of the benchmark.
TEST(OodBaselines, LabelsAreReadOnlyIfAMethodNeedsThem) {
  const std::vector<datasets::BenchmarkMolecule> molecules(4, {.smiles = "CCO", .label = 1});
  BaselineRequest request;
  for (const char* method : {"raw_mahalanobis", "raw_knn", "ood_classifier", "logistic_regression"}) {
    EXPECT_EQ(labels_for(request, {method}, molecules, molecules, "b.json").train.rows(), 4) << method;
  }
  EXPECT_THROW(labels_for(request, {"raw_knn", "msp"}, molecules, molecules, "b.json"), InputError);
}

TEST(OutlierExposure, LossPullsTowardsTheUniformAnswer) {
  const float logits[] = {2, 0, 0, 0}, labels[] = {std::nanf(""), 0};
  float gradient[4], shifted[4];
  const double loss = baselines::cross_entropy({logits, labels, 2, 2}, gradient);
  EXPECT_GT(gradient[0], 0) << "the larger logit of the OOD molecule falls";
  EXPECT_LT(gradient[2], 0) << "the logit of the right class rises";
  for (std::size_t i = 0; i < 4; ++i) {
    float moved[] = {2, 0, 0, 0};
    constexpr float kStep = 1e-2F;
    moved[i] += kStep;
    const double higher = baselines::cross_entropy({moved, labels, 2, 2}, shifted);
    moved[i] -= 2 * kStep;
    const double lower = baselines::cross_entropy({moved, labels, 2, 2}, shifted);
    EXPECT_NEAR(gradient[i], (higher - lower) / (2 * kStep), 1e-3) << i;
  }
  EXPECT_NEAR(loss, (0.5 * (std::log(1 + std::exp(-2.0)) + 1) + std::log(2.0)) / 2, 1e-5);
}

}  // namespace
}  // namespace molgauge::verbs
