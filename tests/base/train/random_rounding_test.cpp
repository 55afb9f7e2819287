#include <limits>

#include <gtest/gtest.h>

#include "base/train/adamw.h"

namespace molgauge::train {
namespace {

TEST(RandomRounding, GoesToANeighbourAndKeepsTheMean) {
  // 1 and 1 + 1/128 are adjacent in bfloat16.
  const float number = 1.0F + 0.3F / 128;
  const at::Tensor rounded = round_at_random(at::full({100'000}, number), 7).to(at::kFloat);
  EXPECT_TRUE(((rounded == 1.0F) | (rounded == 1.0F + 1.0F / 128)).all().item<bool>());
  EXPECT_NEAR((rounded - 1).mean(at::kDouble).item<double>() * 128, 0.3, 0.01);
}

TEST(RandomRounding, KeepsWhatNeedsNoRounding) {
  const at::Tensor numbers = at::tensor({0.0F, -0.0F, 1.5F, -256.0F, std::numeric_limits<float>::infinity()});
  EXPECT_TRUE(at::equal(round_at_random(numbers, 1).to(at::kFloat), numbers));
  EXPECT_TRUE(at::isnan(round_at_random(at::full({3}, std::numeric_limits<float>::quiet_NaN()), 1))
                  .all()
                  .item<bool>());
}

TEST(RandomRounding, IsAFunctionOfKeyAndPlace) {
  const at::Tensor numbers = at::rand({40, 25}) - 0.5;
  const at::Tensor once = round_at_random(numbers, 3);
  EXPECT_TRUE(at::equal(once, round_at_random(numbers, 3)));
  EXPECT_FALSE(at::equal(once, round_at_random(numbers, 4)));
  EXPECT_EQ(once.sizes(), numbers.sizes());
  EXPECT_TRUE(at::allclose(once.to(at::kFloat), numbers, 1.0 / 128, 0));
}

}  // namespace
}  // namespace molgauge::train
