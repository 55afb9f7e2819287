#include <cmath>

#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "base/io/tensors/npz.h"
#include "base/numerics/torch/tensor_files.h"
#include "molecules/ood/run/head_batch.h"
#include "reference_head.h"
#include "support/fixtures.h"

namespace molgauge::ood {
namespace {

/// The reference stores shares of pairs as float32.
constexpr double kShareTolerance = 3e-8;

void expect_gradients(const EnergyHead& head, const io::TensorMap& arrays, const std::string& name,
                      double tolerance) {
  for (const auto& [parameter, value] : head.parameters()) {
    const std::string whole = "grad." + name + "." + parameter,
                      sample = "grad_sample." + name + "." + parameter;
    const bool sampled = arrays.contains(sample);
    const std::vector<float> expected = arrays.at(sampled ? sample : whole).to_float32();
    const std::vector<float> actual = test::numbers(value.grad(), sampled);
    ASSERT_EQ(actual.size(), expected.size()) << parameter;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(actual[i], expected[i], tolerance) << parameter << " [" << i << "]";
    }
  }
}

void expect_metrics(const LossValue& value, const LossOptions& options, const nlohmann::json& metrics,
                    double tolerance) {
  EXPECT_NEAR(value.objective, metrics[to_string(options.kind) + "_loss"].get<double>(), tolerance);
  EXPECT_NEAR(value.total, metrics["total_loss"].get<double>(), tolerance);
  EXPECT_NEAR(value.id_energy, metrics["id_energy"].get<double>(), tolerance);
  EXPECT_NEAR(value.ood_energy, metrics["ood_energy"].get<double>(), tolerance);
  EXPECT_NEAR(value.energy_separation(), metrics["energy_separation"].get<double>(), tolerance);
  ASSERT_EQ(value.pairs.has_value(), metrics.contains("misranked_ratio"));
  if (value.pairs) {
    EXPECT_NEAR(value.pairs->misranked_ratio, metrics["misranked_ratio"].get<double>(), kShareTolerance);
    EXPECT_NEAR(value.pairs->boundary_ratio, metrics["boundary_ratio"].get<double>(), kShareTolerance);
    EXPECT_NEAR(value.pairs->avg_margin, metrics["avg_margin"].get<double>(), tolerance);
  }
}

TEST(LossParity, ValuesMetricsAndGradientsOfEveryCase) {
  REQUIRE_REFERENCE("ood/losses.json");
  const auto cases = nlohmann::json::parse(read_file(test::reference_data("ood/losses.json")));
  const io::TensorMap arrays = io::read_npz(test::reference_data("ood/losses.npz"));
  const at::Tensor id = torch::from_file(arrays.at("id_features")),
                   ood = torch::from_file(arrays.at("ood_features"));
  for (const auto& [name, expected] : cases.items()) {
    SCOPED_TRACE(name);
    const auto& config = expected["config"];
    const EnergyHead head = test::reference_head(arrays, config.contains("_h64") ? "head_h64" : "head",
                                                 config.value("_scale", 1.0));
    const LossOptions options = test::loss_options(config);
    const LossValue value = test::backward(head, id.slice(0, 0, config.value("_n", id.size(0))),
                                           ood.slice(0, 0, config.value("_m", ood.size(0))), options);
    const double scale = 1 + std::abs(expected["loss_f64"].get<double>());
    expect_metrics(value, options, expected["metrics_f64"], 1e-6 * scale);
    // The tolerance is a multiple of the difference between the float32 and float64 runs of PyTorch, because
    // our run may round in another order.
    expect_gradients(head, arrays, name, 4 * expected["grad_max_abs_diff_f32_f64"].get<double>());
    const double norm = expected["grad_norm_f64"].get<double>();
    EXPECT_NEAR(train::clip_gradients(head_parameters(head, 0, 0), {}), norm, 2e-6 * norm);
  }
}

}  // namespace
}  // namespace molgauge::ood
