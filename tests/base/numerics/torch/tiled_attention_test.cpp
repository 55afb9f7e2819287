// Compares attention in tiles with the composition of ATen operators. The tiles run on the host here, and
// also on a GPU if there is one.

#include "base/numerics/torch/tiled_attention.h"

#include <tuple>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/numerics/torch/packed_attention.h"
#include "base/numerics/torch/run_kernel.h"

namespace molgauge::torch {
namespace {

struct TiledProblem {
  Segments molecules;
  at::Tensor joint, logits;
};

/// Covers a molecule with more keys than one round processes, molecules of one token, and tiles that contain
/// queries of several molecules.
TiledProblem some_molecules(std::int64_t heads, std::int64_t depth, at::ScalarType type) {
  at::manual_seed(3);
  const at::Tensor sizes = at::tensor({5, 1, 37, 2, 1, 9}, at::kLong);
  const at::Tensor first = at::cat({at::zeros({1}, at::kLong), sizes.cumsum(0)});
  return {.molecules = {first, at::arange(6, at::kLong).repeat_interleave(sizes)},
          .joint = at::randn({55, 3 * heads * depth}).to(type),
          .logits = at::randn({25 + 1 + 1369 + 4 + 1 + 81, heads}).to(type)};
}

double largest_difference(const at::Tensor& one, const at::Tensor& other) {
  return (one.cpu().to(at::kDouble) - other.cpu().to(at::kDouble)).abs().max().item<double>();
}

/// The parameters are the number of heads and the width of a head.
class TiledAttention : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  static void expect_composition(c10::Device device) {
    const auto [heads, depth] = GetParam();
    for (const auto& [type, tolerance] :
         {std::pair{at::kFloat, 1e-5}, std::pair{at::kHalf, 8e-3}, std::pair{at::kBFloat16, 6.4e-2}}) {
      SCOPED_TRACE(at::toString(type));
      const TiledProblem here = some_molecules(heads, depth, type);
      const AttentionOutput expected = composed_attention(
          here.joint.to(at::kFloat), here.logits.to(at::kFloat), here.molecules, heads, false);
      const Segments there{here.molecules.first.to(device), here.molecules.of.to(device)};
      const AttentionOutput made =
          tiled_attention(here.joint.to(device), here.logits.to(device), there, heads);
      EXPECT_EQ(made.out.scalar_type(), type);
      EXPECT_LE(largest_difference(made.out, expected.out), tolerance);
      EXPECT_LE(largest_difference(made.logits, expected.logits), tolerance);
    }
  }
};

TEST_P(TiledAttention, IsTheComposition) { expect_composition(c10::kCPU); }

TEST_P(TiledAttention, OnAGpuIsTheComposition) {
  if (!at::hasCUDA() || !has_steps_of_gpus()) {
    GTEST_SKIP() << "no GPU, or no kernels";
  }
  expect_composition(c10::Device(c10::kCUDA, 0));
}

INSTANTIATE_TEST_SUITE_P(Sizes, TiledAttention,
                         testing::Values(std::tuple{6, 8}, std::tuple{64, 8}, std::tuple{33, 16},
                                         std::tuple{4, 32}));

TEST(TiledAttentionRows, AMoleculesRowsDoNotDependOnItsPlace) {
  const TiledProblem all = some_molecules(6, 8, at::kFloat);
  const AttentionOutput whole = tiled_attention(all.joint, all.logits, all.molecules, 6);
  // The third molecule is computed alone.
  const Segments one{at::tensor({0, 37}, at::kLong), at::zeros({37}, at::kLong)};
  const AttentionOutput alone =
      tiled_attention(all.joint.slice(0, 6, 43), all.logits.slice(0, 26, 26 + 1369), one, 6);
  EXPECT_TRUE(at::equal(alone.out, whole.out.slice(0, 6, 43)));
  EXPECT_THROW(tiled_attention(at::zeros({37, 3 * 7}), at::zeros({1369, 1}), one, 1), Error);
}

}  // namespace
}  // namespace molgauge::torch
