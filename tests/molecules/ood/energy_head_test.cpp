#include "molecules/ood/head/energy_head.h"

#include <cmath>

#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge::ood {
namespace {

TEST(EnergyHead, IsTheFormula) {
  const EnergyHead head(6, 4, 1);
  const at::Tensor x = at::randn({3, 6});
  const auto& p = head.parameters();
  const at::Tensor h1 = (x.matmul(p[0].value.t()) + p[1].value).clamp_min(0);
  const at::Tensor h2 = (h1.matmul(p[2].value.t()) + p[3].value).clamp_min(0);
  const at::Tensor e = h2.matmul(p[4].value.t()) + p[5].value;
  EXPECT_EQ(head.forward(x).sizes(), at::IntArrayRef({3}));
  EXPECT_TRUE(at::allclose(head.forward(x), e.squeeze(1)));
}

TEST(EnergyHead, DrawsParametersLikeALinearLayer) {
  const EnergyHead head(512, 256, 38);
  const at::Tensor weight = head.parameters()[0].value.detach();
  const double bound = 1 / std::sqrt(512.0);
  EXPECT_LE(weight.abs().max().item<double>(), bound);
  EXPECT_NEAR(weight.std().item<double>(), bound / std::sqrt(3.0), bound / 100);
  EXPECT_TRUE(at::equal(weight, EnergyHead(512, 256, 38).parameters()[0].value));
  EXPECT_FALSE(at::equal(weight, EnergyHead(512, 256, 39).parameters()[0].value));
}

TEST(EnergyHead, IsReadBackUnderBothKindsOfNames) {
  const EnergyHead head(6, 4, 1);
  const io::TensorMap saved = head.weights().to_tensors();
  EXPECT_TRUE(saved.contains("energy_head.fc2.bias"));
  io::TensorMap bare;
  for (const auto& [name, tensor] : saved) {
    bare[name.substr(std::string("energy_head.").size())] = tensor;
  }
  const at::Tensor x = at::randn({3, 6});
  for (const io::TensorMap& tensors : {saved, bare}) {
    const EnergyHead again(HeadWeights::from_tensors(tensors, "a file"));
    EXPECT_EQ(again.feature_width(), 6);
    EXPECT_EQ(again.hidden_width(), 4);
    EXPECT_TRUE(at::equal(again.forward(x), head.forward(x)));
  }
}

TEST(EnergyHead, RefusesTensorsThatDoNotFit) {
  io::TensorMap tensors = EnergyHead(6, 4, 1).weights().to_tensors();
  tensors["energy_head.fc2.bias"] = tensors["energy_head.fc1.bias"];
  EXPECT_THROW(HeadWeights::from_tensors(tensors, "a file"), InputError);
  tensors.erase("energy_head.fc2.bias");
  EXPECT_THROW(HeadWeights::from_tensors(tensors, "a file"), InputError);
  EXPECT_THROW(HeadWeights::from_tensors({}, "a file"), InputError);
  EXPECT_THROW(EnergyHead(6, 3, 1), UsageError);
}

TEST(EnergyHead, DropoutKeepsTheMeanAndFollowsItsGenerator) {
  const EnergyHead head(6, 64, 1);
  const at::Tensor x = at::randn({1, 6}).expand({20000, 6});
  at::Generator generator = at::detail::createCPUGenerator(5);
  const at::Generator same = generator.clone();
  const at::Tensor dropped = head.forward(x, head.draw_masks(20000, 0.1, generator));
  EXPECT_GT(dropped.std().item<double>(), 1e-3);
  at::Generator again = same;
  EXPECT_TRUE(at::equal(dropped, head.forward(x, head.draw_masks(20000, 0.1, again))));
  const DropoutMasks masks = head.draw_masks(20000, 0.1, generator);
  EXPECT_NEAR(masks.first.mean().item<double>(), 1, 1e-2);
  EXPECT_NEAR(masks.second.eq(0).to(at::kFloat).mean().item<double>(), 0.1, 1e-2);
  EXPECT_FALSE(head.draw_masks(3, 0, generator).first.defined());
}

}  // namespace
}  // namespace molgauge::ood
