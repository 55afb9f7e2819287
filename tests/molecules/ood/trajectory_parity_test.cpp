#include <cmath>

#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "base/io/tensors/npz.h"
#include "base/numerics/torch/tensor_files.h"
#include "molecules/ood/head/head_loss.h"
#include "molecules/ood/metrics/metrics.h"
#include "molecules/ood/run/head_batch.h"
#include "molgauge/train.h"
#include "reference_head.h"
#include "support/fixtures.h"

namespace molgauge::ood {
namespace {

constexpr double kLossTolerance = 2e-5, kChaoticLoss = 0.1;

double published_weight_decay() {
  const TrainRequest published;
  return published.weight_decay;
}

/// Reads a key of trajectory.json: the loss, and for "clipped" cases the factor of fc3 and the weight decay,
/// as in "dpo_clipped_x400_lr1e-3_wd1e-2". All other options have the published defaults.
struct Trajectory {
  explicit Trajectory(const std::string& name)
      : loss(name.substr(0, name.find('_'))), clipped(name.find("_clipped") != std::string::npos) {
    if (clipped) {
      scale = static_cast<double>(test::number_after("_x", name));
      weight_decay = std::stod(name.substr(name.find("_wd") + 3));
    }
  }

  std::string array_name() const { return clipped ? "clipped" : loss; }
  /// From step 15 on, rounding dominates in a clipped case. The float64 run of PyTorch then also differs from
  /// its float32 run.
  bool is_chaotic(std::size_t step) const { return clipped && step >= 15; }
  /// The first Adam steps divide tiny gradients by numbers of the same size. Single weights can therefore
  /// differ by a part of the learning rate.
  double weight_tolerance() const { return clipped ? 2e-4 : 5e-5; }

  std::string loss;
  bool clipped;
  double scale = 1, weight_decay = published_weight_decay();
};

class TrajectoryParity : public testing::Test {
 protected:
  void follow(const Trajectory& trajectory, const nlohmann::json& expected) {
    const io::TensorMap inputs = io::read_npz(test::reference_data("ood/losses.npz"));
    const double learning_rate = expected["steps"].front()["lr"].get<double>();
    id_ = torch::from_file(inputs.at("id_features"));
    ood_ = torch::from_file(inputs.at("ood_features"));
    LossOptions options;
    options.kind = from_word<Loss>(trajectory.loss).value();
    const EnergyHead head = test::reference_head(inputs, "head", trajectory.scale);
    const train::Parameters parameters = head_parameters(head, learning_rate, trajectory.weight_decay);
    train::AdamW optimizer(parameters, {});
    for (std::size_t step = 0; step < expected["steps"].size(); ++step) {
      SCOPED_TRACE(step);
      const auto& figures = expected["steps"][step];
      const double loss = test::backward(head, id_, ood_, options).total;
      const double reference = figures["total_loss"].get<double>();
      const bool chaotic = trajectory.is_chaotic(step);
      EXPECT_NEAR(loss, reference,
                  chaotic ? kChaoticLoss : kLossTolerance * std::max(1.0, std::abs(reference)));
      const double norm = expected["grad_norm_before_clip"][step].get<double>();
      EXPECT_NEAR(train::clip_gradients(parameters, {.norm = 1.0}), norm,
                  (chaotic ? 0.1 : 2e-4) * std::max(1.0, norm));
      const train::Clock clock{.epoch = step, .steps = step};
      EXPECT_NEAR(parameters.groups()[0].options.rate(clock), figures["lr"].get<double>(), 1e-12);
      optimizer.step(clock);
      if (expected.contains("eval_after_epoch")) {
        expect_evaluation(head, options, expected["eval_after_epoch"][step]);
      }
    }
    expect_weights(head, trajectory.array_name(), trajectory.weight_tolerance());
  }

 private:
  void expect_evaluation(const EnergyHead& head, const LossOptions& options, const nlohmann::json& expected) {
    const c10::NoGradGuard no_gradient;
    const std::vector<float> id = to_vector(head.forward(id_)), ood = to_vector(head.forward(ood_));
    EXPECT_NEAR(energy_loss(id, ood, options, 1).total, expected["total_loss"].get<double>(), kLossTolerance);
    const DetectionMetrics metrics =
        detection_metrics(std::span<const float>(id), std::span<const float>(ood));
    // Rounding may change the rank of one pair. Then one ID molecule may be on the other side of the
    // threshold.
    const double molecules = static_cast<double>(id.size()),
                 pairs = molecules * static_cast<double>(ood.size());
    EXPECT_NEAR(metrics.auroc, expected["val_auroc"].get<double>(), 1.01 / pairs);
    EXPECT_NEAR(metrics.aupr, expected["val_aupr"].get<double>(), 1e-3);
    EXPECT_NEAR(metrics.fpr95, expected["val_fpr95"].get<double>(), 1.01 / molecules);
  }

  void expect_weights(const EnergyHead& head, const std::string& name, double tolerance) {
    const io::TensorMap arrays = io::read_npz(test::reference_data("ood/trajectory.npz"));
    for (const auto& [parameter, value] : head.parameters()) {
      const std::string whole = name + "." + parameter, sample = name + ".sample." + parameter;
      const bool sampled = arrays.contains(sample);
      const std::vector<float> expected = arrays.at(sampled ? sample : whole).to_float32();
      const std::vector<float> actual = test::numbers(value, sampled);
      ASSERT_EQ(actual.size(), expected.size()) << parameter;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_NEAR(actual[i], expected[i], tolerance * std::max(1.0F, std::abs(expected[i])))
            << parameter << " [" << i << "]";
      }
    }
  }

  at::Tensor id_, ood_;
};

TEST_F(TrajectoryParity, EveryStepOfEveryLoss) {
  REQUIRE_REFERENCE("ood/trajectory.json");
  const auto all = nlohmann::json::parse(read_file(test::reference_data("ood/trajectory.json")));
  EXPECT_FALSE(all.empty());
  for (const auto& [name, expected] : all.items()) {
    SCOPED_TRACE(name);
    if (expected.is_object()) {  // lists contain the values of checkpoints
      follow(Trajectory(name), expected);
    }
  }
}

}  // namespace
}  // namespace molgauge::ood
