// Compares the scores with the reference data in data/ood, which section 5 of its README describes. The tests
// cover three classifiers, all methods and several batch sizes.

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "molecules/baselines/detectors/ledoit_wolf.h"
#include "molecules/baselines/detectors/mahalanobis.h"
#include "molecules/baselines/detectors/methods.h"
#include "reference_baselines.h"
#include "support/fixtures.h"

namespace molgauge::baselines {
namespace {

using test::ReferenceBaselines;

/// The tolerance allows float32 arithmetic in another order.
void expect_near(const std::vector<float>& found, const std::vector<float>& expected, double relative = 2e-5,
                 double absolute = 2e-6) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], absolute + relative * std::abs(expected[i])) << "row " << i;
  }
}

std::vector<float> flat(const at::Tensor& tensor) {
  const at::Tensor local = tensor.to(at::kFloat).contiguous();
  return {local.data_ptr<float>(), local.data_ptr<float>() + local.numel()};
}

class MethodsParity : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { REQUIRE_REFERENCE("ood/baselines.npz"); }

  void expect_scores(const ReferenceBaselines& reference, const Detector& detector, const std::string& name,
                     double relative = 2e-5, double absolute = 2e-6) {
    for (const std::string side : {"id", "ood"}) {
      for (const std::size_t batch_size : {1U, 7U, 64U, 1000U}) {
        SCOPED_TRACE(name + " " + side + ", batches of " + std::to_string(batch_size));
        expect_near(detector.score(reference.test_features(side), {batch_size, 2}),
                    reference.numbers(name + "." + side), relative, absolute);
      }
    }
  }

  void expect_method(const std::string& method, const MethodOptions& options, const std::string& name) {
    const ReferenceBaselines reference(GetParam());
    const auto detector = make_detector(method, reference.model(), options);
    detector->fit(reference.fit_data());
    expect_scores(reference, *detector, name);
  }
};

TEST_P(MethodsParity, LogitsAndHiddenFeatures) {
  const ReferenceBaselines reference(GetParam());
  for (const std::string side : {"id", "ood"}) {
    for (const std::size_t batch_size : {1U, 33U, 100U}) {
      const Readout readout =
          read_out(*reference.model().classifier, reference.test_features(side), {batch_size, 1});
      expect_near(flat(readout.logits), reference.numbers("logits." + side), 1e-5, 2e-5);
      expect_near(flat(readout.hidden), reference.numbers("hidden." + side), 1e-5, 2e-5);
    }
  }
}

TEST_P(MethodsParity, MaximumProbability) { expect_method("msp", {}, "msp"); }
TEST_P(MethodsParity, FreeEnergy) { expect_method("energy", {}, "energy"); }
TEST_P(MethodsParity, OdinAtModerateTemperatures) {
  expect_method("odin", {}, "odin_T10");
  MethodOptions options;
  options.odin = {1, 0.05};
  expect_method("odin", options, "odin_T1_n05");
}
TEST_P(MethodsParity, NeighbourDistance) {
  expect_method("knn", {}, "knn");
  MethodOptions options;
  options.knn.neighbours = 5;
  expect_method("knn", options, "knn5");
}
TEST_P(MethodsParity, OutlierFactor) { expect_method("lof", {}, "lof"); }
TEST_P(MethodsParity, Conformal) { expect_method("conformal", {}, "conformal"); }

/// At this temperature, scores differ only in the fourth decimal. The test therefore compares the order. Two
/// molecules may only be swapped if the reference hardly distinguishes them.
TEST_P(MethodsParity, OdinAtHighTemperatureByRank) {
  const ReferenceBaselines reference(GetParam());
  MethodOptions options;
  options.odin.temperature = 1000;
  const auto detector = make_detector("odin", reference.model(), options);
  expect_scores(reference, *detector, "odin", 0, 1e-6);
  for (const std::string side : {"id", "ood"}) {
    const std::vector<float> found = detector->score(reference.test_features(side));
    const std::vector<float> expected = reference.numbers("odin." + side);
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (std::abs(expected[i] - expected[j]) > 5e-7F) {
          EXPECT_EQ(found[i] < found[j], expected[i] < expected[j]) << i << " and " << j;
        }
      }
    }
  }
}

TEST_P(MethodsParity, Mahalanobis) {
  const ReferenceBaselines reference(GetParam());
  const FitData data = reference.fit_data();
  TrainedClassifier model = reference.model();
  Mahalanobis detector(model);
  if (std::string(GetParam()) == "binary1") {
    // The published program uses the number of outputs as the number of classes. With one output, it uses
    // only the molecules of class 0, and returns the squared distance.
    model.kind = LabelKind::classes;
    detector = Mahalanobis(model);
    detector.fit_hidden(read_out(*model.classifier, data.train.features).hidden,
                        data.train.labels.values.squeeze(1).to(at::kLong), 1);
  } else {
    detector.fit(data);
  }
  expect_near(flat(detector.means()), reference.numbers("mahalanobis.class_means"), 1e-5, 1e-5);
  expect_scores(reference, detector, "mahalanobis", 1e-3, 1e-3);
}

TEST_P(MethodsParity, UncertaintyOfSampledLogits) {
  const ReferenceBaselines reference(GetParam());
  const at::Tensor logits = reference.tensor("mc_dropout.sampled_logits");
  const LabelKind kind = reference.model().kind;
  expect_near(uncertainty_of(logits, kind, DropoutUncertainty::entropy),
              reference.numbers("mc_dropout.entropy"));
  expect_near(uncertainty_of(logits, kind, DropoutUncertainty::variance),
              reference.numbers("mc_dropout.variance"));
}

TEST_P(MethodsParity, McDropoutWithoutDropout) {
  const ReferenceBaselines reference(GetParam());
  MethodOptions options;
  options.mc_dropout.dropout = 0;
  const auto detector = make_detector("mc_dropout", reference.model(), options);
  expect_near(detector->score(reference.test_features("id"), {7, 2}),
              reference.numbers("mc_dropout.entropy_p0"), 2e-5, 2e-6);
}

INSTANTIATE_TEST_SUITE_P(Variants, MethodsParity, testing::Values("two_class", "binary1", "multitask5"),
                         [](const auto& variant) { return std::string(variant.param); });

TEST(LedoitWolfParity, EqualsScikitLearn) {
  REQUIRE_REFERENCE("ood/baselines.npz");
  const ReferenceBaselines reference("two_class");
  const auto expected =
      nlohmann::json::parse(read_file(test::reference_data("ood/baselines.json"))).at("ledoit_wolf");
  SCOPED_TRACE(expected.dump());
  const ShrunkCovariance found = ledoit_wolf(reference.tensor("lw.centered"));
  const auto& figures = expected.contains("two_class") ? expected["two_class"] : expected;
  EXPECT_NEAR(found.shrinkage, figures["shrinkage"].get<double>(), 1e-7);
  EXPECT_NEAR(found.mean_variance, figures["mu_trace_over_p"].get<double>(), 1e-6);
  expect_near(flat(found.covariance), reference.numbers("lw.covariance"), 1e-5, 1e-6);
}

}  // namespace
}  // namespace molgauge::baselines
