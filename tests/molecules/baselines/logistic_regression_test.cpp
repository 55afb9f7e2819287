#include "molecules/baselines/detectors/logistic_regression.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "clusters.h"

namespace molgauge::baselines {
namespace {

/// The weights and the intercept of sklearn.linear_model.LogisticRegression 1.9.1 (tol 1e-12).
struct Reference {
  double c, first, second, intercept;
};

TEST(LogisticFit, EqualsScikitLearn) {
  const at::Tensor rows =
      at::tensor({0.5, 1.0, -1.0, 0.25, 0.0, -0.5, 1.5, 2.0, 2.0, -1.0, -0.5, 1.5, 1.0, 0.75, -2.0, -1.25},
                 at::kDouble)
          .view({8, 2});
  const at::Tensor labels = at::tensor({0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0}, at::kDouble);
  for (const Reference& expected : {Reference{0.01, 0.031376482, 0.018056935, -0.012095923},
                                    {0.5, 0.649168630, 0.367955334, -0.287172821},
                                    {100, 1.978394784, 1.417658843, -1.296058827}}) {
    const LogisticModel model = fit_logistic(rows, labels, expected.c);
    const double tolerance = 1e-4 * std::max(1.0, expected.c);
    EXPECT_NEAR(model.weights[0].item<double>(), expected.first, tolerance) << expected.c;
    EXPECT_NEAR(model.weights[1].item<double>(), expected.second, tolerance) << expected.c;
    EXPECT_NEAR(model.intercept, expected.intercept, tolerance) << expected.c;
  }
  EXPECT_THROW(fit_logistic(rows, at::zeros({8}, at::kDouble), 1), InputError) << "no OOD molecules";
}

Labels labels_of(std::int64_t id, std::int64_t ood) {
  return task_labels(at::cat({at::zeros({id, 1}), at::ones({ood, 1})}));
}

/// Two groups that differ in the first feature. The other features are noise.
LabelledFeatures molecules(std::uint64_t seed) {
  at::Tensor id = test::clusters(60, 1, seed).features, ood = test::clusters(60, 1, seed + 1).features;
  ood.select(1, 0).add_(3);
  return {at::cat({id, ood}), labels_of(60, 60)};
}

LabelledFeatures reversed(const LabelledFeatures& molecules) {
  return {molecules.features.flip(0).contiguous(), task_labels(molecules.labels.values.flip(0))};
}

TEST(LogisticRegression, IsTheSameForEveryFitAndOrderOfValidation) {
  const LabelledFeatures train = molecules(1), validation = molecules(3), test = molecules(5);
  LogisticRegression first, second;
  first.fit({train, {}, {}, validation});
  second.fit({train, {}, {8, 2}, reversed(validation)});
  EXPECT_EQ(first.score(test.features), second.score(test.features));
  EXPECT_EQ(first.inverse_penalty(), second.inverse_penalty());
}

/// If every penalty separates the validation molecules, the strongest penalty is chosen.
TEST(LogisticRegression, PrefersTheStrongestOfEqualPenalties) {
  const at::Tensor features = at::tensor({-2.0F, -1.0F, 1.0F, 2.0F}).view({4, 1});
  const LabelledFeatures molecules{features, labels_of(2, 2)};
  LogisticRegression detector;
  detector.fit({molecules, {}, {}, molecules});
  EXPECT_EQ(detector.inverse_penalty(), LogisticRegression::kInversePenalties.front());
  const std::vector<float> scores = detector.score(features);
  EXPECT_LT(scores[1], scores[2]);
}

}  // namespace
}  // namespace molgauge::baselines
