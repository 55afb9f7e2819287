// Compares the losses with the reference data in data/ood. Sections 5 and 6 of the README there describe the
// data.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/io/tensors/npy.h"
#include "base/io/tensors/npz.h"
#include "base/numerics/torch/tensor_files.h"
#include "molecules/baselines/classifier/auc_margin.h"
#include "molecules/baselines/classifier/classifier_loss.h"
#include "molecules/baselines/detectors/readout.h"
#include "reference_baselines.h"
#include "support/fixtures.h"

namespace molgauge::baselines {
namespace {

TEST(ClassifierLossParity, MaskedTasks) {
  REQUIRE_REFERENCE("ood/baselines.npz");
  const test::ReferenceBaselines reference("multitask5");
  const Labels labels = task_labels(reference.shared("multitask_loss.labels_with_nan"));
  const at::Tensor expected_weights = reference.shared("multitask_loss.pos_weight");
  const std::vector<float> weights = positive_weights(labels);
  for (std::size_t task = 0; task < weights.size(); ++task) {
    EXPECT_FLOAT_EQ(weights[task], expected_weights.data_ptr<float>()[task]);
  }
  const at::Tensor logits =
      read_out(*reference.model().classifier, reference.shared("train_features_f16"), {}).logits;
  std::vector<float> gradient(static_cast<std::size_t>(logits.numel()));
  const double loss = masked_binary_cross_entropy(
      {logits.data_ptr<float>(), labels.values.data_ptr<float>(), static_cast<std::size_t>(logits.size(0)),
       static_cast<std::size_t>(logits.size(1))},
      weights, gradient.data());
  const auto expected = nlohmann::json::parse(read_file(test::reference_data("ood/baselines.json")));
  EXPECT_NEAR(loss, expected.at("multitask_masked_loss_all_train_rows").get<double>(), 1e-6);
}

/// Full-batch steps of a linear layer. Only output 1 is trained. One array contains its parameters: first the
/// weights, then the bias.
TEST(AucMarginParity, OptimizerSteps) {
  REQUIRE_REFERENCE("ood/dam.npz");
  const io::TensorMap arrays = io::read_npz(test::reference_data("ood/dam.npz"));
  const auto figures = nlohmann::json::parse(read_file(test::reference_data("ood/dam.json")));
  const auto numbers = [&](const std::string& name) { return arrays.at(name).to_float32(); };
  const at::Tensor fingerprints =
      torch::from_file(io::read_npy(test::reference_data("minimol/reference_fingerprints.npy")));
  const at::Tensor features =
      fingerprints.index_select(0, torch::from_file(arrays.at("index")).to(at::kLong));
  const auto labels = numbers("labels");
  const auto join = [&](const std::string& weight, const std::string& bias) {
    std::vector<float> all = numbers(weight);
    const std::vector<float> rest = numbers(bias);
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
  };
  const auto& settings = figures["pesg"];
  PesgOptions options;
  options.learning_rate = settings["lr"].get<double>();
  options.momentum = settings["momentum"].get<double>();
  options.weight_decay = settings["weight_decay"].get<double>();
  options.epoch_decay = settings["epoch_decay"].get<double>();
  AucMarginVariables references;
  references.a = numbers("pesg.ref2")[0];
  references.b = numbers("pesg.ref3")[0];
  Pesg optimizer(join("pesg.ref0", "pesg.ref1"), {references}, options);

  std::vector<float> parameters = join("pesg.w0", "pesg.b0");
  const std::int64_t width = features.size(1);
  const auto outputs = static_cast<std::int64_t>(numbers("pesg.b0").size());
  const auto weights = static_cast<std::size_t>(outputs * width);
  for (const auto& expected : settings["steps"]) {
    const at::Tensor weight = at::from_blob(parameters.data(), {outputs, width}, at::kFloat);
    const at::Tensor bias = at::from_blob(parameters.data() + weights, {outputs}, at::kFloat);
    const at::Tensor scores = at::linear(features, weight, bias).select(1, 1).contiguous();
    std::vector<float> slope(labels.size());
    const AucMarginValue value =
        auc_margin_loss({scores.data_ptr<float>(), labels.size()}, labels, optimizer.variables()[0],
                        figures.at("margin").get<double>(), slope);
    EXPECT_NEAR(value.loss, expected["loss"].get<double>(), 2e-6);
    std::vector<float> gradient(parameters.size());
    const at::Tensor gradients = at::from_blob(slope.data(), {1, static_cast<std::int64_t>(slope.size())});
    at::from_blob(gradient.data(), {outputs, width}, at::kFloat)[1].copy_(at::mm(gradients, features)[0]);
    gradient[weights + 1] = gradients.sum().item<float>();
    optimizer.step(parameters, gradient, std::vector{value.gradient});
    const AucMarginVariables& now = optimizer.variables()[0];
    EXPECT_NEAR(now.a, expected["a"].get<double>(), 1e-7);
    EXPECT_NEAR(now.b, expected["b"].get<double>(), 1e-7);
    EXPECT_NEAR(now.alpha, expected["alpha"].get<double>(), 1e-7);
  }
  const std::string last = std::to_string(settings["steps"].size());
  const std::vector<float> expected = join("pesg.w" + last, "pesg.b" + last);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    EXPECT_NEAR(parameters[i], expected[i], 1e-6) << i;
  }
}

}  // namespace
}  // namespace molgauge::baselines
