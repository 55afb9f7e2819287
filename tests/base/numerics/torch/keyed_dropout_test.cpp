#include "base/numerics/torch/keyed_dropout.h"

#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/numerics/ops/training/attention_kernels.h"
#include "base/numerics/ops/training/keyed_numbers.h"

namespace molgauge::torch {
namespace {

KeyedDropout row_dropout() { return {at::tensor({3, 1, 4}, at::kLong), 0.3, 5}; }

/// Molecules of 5, 2 and 7 tokens.
Segments molecules_on(c10::Device device) {
  const at::Tensor sizes = at::tensor({5, 2, 7}, at::kLong);
  return {at::tensor({0, 5, 7, 14}, at::kLong).to(device),
          at::arange(3, at::kLong).repeat_interleave(sizes).to(device)};
}

TEST(KeyedFactors, AreThoseOfTheLoops) {
  for (const double dropout : {0.1, 0.5}) {
    std::vector<float> factors(1000);
    ops::dropout_factors(factors.size(), dropout, /*key=*/77, factors.data());
    const auto own = ops::KeyedFactors::of(dropout, 77);
    for (std::size_t place = 0; place < factors.size(); ++place) {
      ASSERT_EQ(own[place], factors[place]) << place;
    }
  }
  EXPECT_EQ(ops::KeyedFactors()[3], 1.0F);
}

TEST(KeyedDropout, HasTheSameFactorsByStepsAndByLoops) {
  const Segments molecules = molecules_on(at::kCPU);
  const at::Tensor factors = row_factors_by_loops(molecules, 40, row_dropout());
  EXPECT_TRUE(at::equal(row_factors_by_steps(molecules, 40, row_dropout()), factors));
  EXPECT_NEAR(factors.eq(0).to(at::kFloat).mean().item<double>(), 0.3, 0.05);
  EXPECT_TRUE(at::equal(drop_rows(at::ones({14, 40}), molecules, row_dropout()), factors));
}

TEST(KeyedDropout, FirstRowsHaveTheFactorsOfFirstTokens) {
  const Segments molecules = molecules_on(at::kCPU);
  const at::Tensor all = drop_rows(at::ones({14, 40}), molecules, row_dropout());
  EXPECT_TRUE(at::equal(drop_first_rows(at::ones({3, 40}), row_dropout()),
                        all.index_select(0, molecules.first.slice(0, 0, 3))));
  EXPECT_FALSE(drop_first_rows(at::ones({3, 40}), {}).eq(0).any().item<bool>());
}

TEST(KeyedDropout, OnGpuDropsWhatTheCpuDrops) {
  if (!at::hasCUDA()) {
    GTEST_SKIP() << "no GPU";
  }
  EXPECT_TRUE(at::equal(
      drop_rows(at::ones({14, 40}).cuda(), molecules_on(c10::Device(c10::kCUDA, 0)), row_dropout()).cpu(),
      drop_rows(at::ones({14, 40}), molecules_on(at::kCPU), row_dropout())));
  EXPECT_TRUE(at::equal(drop_first_rows(at::ones({3, 40}).cuda(), row_dropout()).cpu(),
                        drop_first_rows(at::ones({3, 40}), row_dropout())));
}

}  // namespace
}  // namespace molgauge::torch
