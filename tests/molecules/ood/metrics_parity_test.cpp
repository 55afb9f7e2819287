#include <cstring>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/io/tensors/npz.h"
#include "molecules/ood/metrics/metrics.h"
#include "support/fixtures.h"

namespace molgauge::ood {
namespace {

std::vector<double> numbers(const io::TensorData& data) {
  if (data.type != io::DataType::float64) {
    const std::vector<float> narrow = data.to_float32();
    return {narrow.begin(), narrow.end()};
  }
  std::vector<double> result(data.bytes.size() / sizeof(double));
  std::memcpy(result.data(), data.bytes.data(), data.bytes.size());
  return result;
}

TEST(MetricsParity, EqualsScikitLearn) {
  REQUIRE_REFERENCE("ood/metrics.json");
  const auto expected = nlohmann::json::parse(read_file(test::reference_data("ood/metrics.json")));
  const io::TensorMap scores = io::read_npz(test::reference_data("ood/metrics.npz"));
  for (const auto& [name, figures] : expected.items()) {
    SCOPED_TRACE(name);
    const std::vector<double> id = numbers(scores.at(name + ".id")), ood = numbers(scores.at(name + ".ood"));
    const std::span<const double> a(id), b(ood);
    for (const auto& [variant, key] : {std::pair{MetricVariant::evaluation, "evaluation"},
                                       std::pair{MetricVariant::baseline, "baseline"}}) {
      const DetectionMetrics metrics = detection_metrics(a, b, variant);
      EXPECT_NEAR(metrics.auroc, figures[key]["auroc"].get<double>(), 1e-12) << key;
      EXPECT_NEAR(metrics.aupr, figures[key]["aupr"].get<double>(), 1e-12) << key;
      EXPECT_NEAR(metrics.fpr95, figures[key]["fpr95"].get<double>(), 1e-12) << key;
    }
    const auto& evaluation = figures["evaluation"];
    EXPECT_NEAR(summarize(a).mean, evaluation["id_mean_energy"].get<double>(), 1e-6);
    EXPECT_NEAR(summarize(b).standard_deviation, evaluation["ood_std_energy"].get<double>(), 1e-6);
  }
}

}  // namespace
}  // namespace molgauge::ood
