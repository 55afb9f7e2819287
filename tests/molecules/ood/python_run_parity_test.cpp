// Tests that heads of the Python project give the same energies in Molgauge as in the Python project.

#include <gtest/gtest.h>

#include "base/io/tensors/npz.h"
#include "base/numerics/torch/tensor_files.h"
#include "molecules/ood/head/tensor_scoring.h"
#include "molecules/ood/run/python_run.h"
#include "support/fixtures.h"

namespace molgauge::ood {
namespace {

constexpr float kTolerance = 1e-5f;

void expect_energies(const EnergyHead& head, const io::TensorMap& arrays, const std::string& name) {
  for (const char* side : {"id", "ood"}) {
    const at::Tensor features = torch::from_file(arrays.at(std::string(side) + "_features"));
    const std::vector<float> expected = arrays.at("energy." + name + "." + side).to_float32();
    const std::vector<float> energies = score_features(head, features, 16).energies;
    ASSERT_EQ(energies.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_NEAR(energies[i], expected[i], kTolerance) << side << " " << i;
    }
  }
}

TEST(PythonHeadParity, StateDictsScoreAsTheReference) {
  REQUIRE_REFERENCE("ood/losses.npz");
  const io::TensorMap arrays = io::read_npz(test::reference_data("ood/losses.npz"));
  expect_energies(EnergyHead(load_python_head(test::reference_data("ood/head.pt"))), arrays, "dpo");
  expect_energies(EnergyHead(load_python_head(test::reference_data("ood/head_h64.pt"))), arrays, "dpo_h64");
}

}  // namespace
}  // namespace molgauge::ood
