// Tests the two operators of Uni-Mol on packed molecules. Compares three computations with each other: the
// CPU loops, the composition of ATen operators, and the arithmetic of a CUDA thread, which runs on the host.
// If there is a GPU, also compares the kernels.

#include "base/numerics/torch/packed_attention.h"

#include <cmath>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/numerics/torch/cuda/lanes.h"
#include "base/numerics/torch/pair_attention.h"

namespace molgauge::torch {
namespace {

constexpr std::int64_t kHeads = 6, kDepth = 8, kWidth = kHeads * kDepth, kDictionary = 31, kKernels = 16;

struct Problem {
  Segments molecules;
  at::Tensor joint, logits;
};

/// Molecules of 5, 1, 11 and 3 tokens. The kernel divides the keys of a query into parts. Some molecules have
/// fewer keys than parts, and some leave a remainder.
Problem made_up(at::ScalarType type) {
  at::manual_seed(7);
  const at::Tensor first = at::tensor({0, 5, 6, 17, 20}, at::kLong);
  const at::Tensor sizes = first.slice(0, 1) - first.slice(0, 0, 4);
  return {.molecules = {first, at::arange(4, at::kLong).repeat_interleave(sizes)},
          .joint = at::randn({20, 3 * kWidth}).to(type),
          .logits = at::randn({25 + 1 + 121 + 9, kHeads}).to(type)};
}

double farthest(const at::Tensor& one, const at::Tensor& other) {
  return (one.cpu().to(at::kDouble) - other.cpu().to(at::kDouble)).abs().max().item<double>();
}

/// Runs the threads of all blocks one after the other.
template <typename Number>
at::Tensor lanes(const Problem& problem) {
  const auto* const first = problem.molecules.first.data_ptr<std::int64_t>();
  at::Tensor out = at::empty({4, kWidth}, problem.joint.options());
  std::int64_t pair = 0;
  for (int molecule = 0; molecule < 4; ++molecule) {
    const std::int64_t tokens = first[molecule + 1] - first[molecule];
    const cuda::MoleculeView<Number> view{problem.joint.data_ptr<Number>() + first[molecule] * 3 * kWidth,
                                          problem.logits.data_ptr<Number>() + pair * kHeads,
                                          /*after=*/nullptr,
                                          tokens,
                                          kHeads,
                                          1 / std::sqrt(static_cast<float>(kDepth))};
    for (std::int64_t head = 0; head < kHeads; ++head) {
      auto whole = cuda::attend_part<kDepth>(view, /*query=*/0, head, 0);
      for (int part = 1; part < cuda::kKeyParts; ++part) {
        whole.join(cuda::attend_part<kDepth>(view, /*query=*/0, head, part));
      }
      cuda::write_attended(whole, molecule, head, kHeads, out.data_ptr<Number>());
    }
    pair += tokens * tokens;
  }
  return out;
}

void expect_near(const AttentionOutput& made, const AttentionOutput& expected, bool first_only, double most) {
  EXPECT_LE(farthest(made.out, expected.out), most);
  if (!first_only) {
    EXPECT_LE(farthest(made.logits, expected.logits), most);
  }
}

template <typename Number>
void expect_lanes_near(at::ScalarType type, double most) {
  const Problem problem = made_up(type);
  const AttentionOutput expected =
      composed_attention(problem.joint, problem.logits, problem.molecules, kHeads, /*first_only=*/true);
  EXPECT_LE(farthest(lanes<Number>(problem), expected.out), most);
}

TEST(PackedAttention, ComposedIsTheLoopsOfTheCpu) {
  const Problem problem = made_up(at::kFloat);
  for (const bool first_only : {false, true}) {
    const AttentionOutput loops =
        attend(problem.joint, problem.logits, problem.molecules, kHeads, first_only, {});
    expect_near(composed_attention(problem.joint, problem.logits, problem.molecules, kHeads, first_only),
                {loops.out, loops.logits}, first_only, 1e-5);
  }
}

TEST(PackedAttention, ComposedHasTheGradientsOfTheLoops) {
  std::vector<at::Tensor> gradients;
  for (const bool composed : {true, false}) {
    Problem problem = made_up(at::kFloat);
    problem.joint.requires_grad_();
    problem.logits.requires_grad_();
    at::Tensor out, logits;
    if (composed) {
      const auto made = composed_attention(problem.joint, problem.logits, problem.molecules, kHeads, false);
      out = made.out, logits = made.logits;
    } else {
      const auto made = attend(problem.joint, problem.logits, problem.molecules, kHeads, false, {});
      out = made.out, logits = made.logits;
    }
    (out.pow(2).sum() + logits.sin().sum()).backward();
    gradients.push_back(problem.joint.grad());
    gradients.push_back(problem.logits.grad());
  }
  EXPECT_LE(farthest(gradients[0], gradients[2]), 1e-4);
  EXPECT_LE(farthest(gradients[1], gradients[3]), 1e-4);
}

TEST(PackedAttention, ThreadsInFloat32) { expect_lanes_near<float>(at::kFloat, 1e-5); }
TEST(PackedAttention, ThreadsInFloat16) { expect_lanes_near<c10::Half>(at::kHalf, 4e-3); }
TEST(PackedAttention, ThreadsInBfloat16) { expect_lanes_near<c10::BFloat16>(at::kBFloat16, 3.2e-2); }

GaussianTables tables() {
  at::manual_seed(8);
  return {.factors = 1 + 0.3 * at::randn({kDictionary * kDictionary, 1}),
          .offsets = 0.5 * at::randn({kDictionary * kDictionary, 1}),
          .means = 9 * at::rand({1, kKernels}),
          .widths = at::randn({1, kKernels}) + 0.3,
          .dictionary = kDictionary};
}

TEST(PackedGaussians, AThreadIsTheComposition) {
  const GaussianTables all = tables();
  const Segments one{at::tensor({0, 2}, at::kLong), at::zeros({2}, at::kLong)};
  const at::Tensor tokens = at::tensor({4, 6}, at::kLong), distances = at::tensor({0.0F, 1.5F, 1.5F, 0.0F});
  const at::Tensor expected = composed_gaussian_features(tokens, distances, one, all);
  const std::int64_t ids[] = {4, 6};
  for (std::int64_t pair = 0; pair < 4; ++pair) {
    const std::int64_t kind = ids[pair / 2] * kDictionary + ids[pair % 2];
    for (std::int64_t k = 0; k < kKernels; ++k) {
      const float made = cuda::gaussian(all.factors[kind].item<float>(), all.offsets[kind].item<float>(),
                                        distances[pair].item<float>(), all.means[0][k].item<float>(),
                                        all.widths[0][k].item<float>());
      const auto want = expected[pair][k].item<float>();
      EXPECT_NEAR(made, want, 1e-5 * (1 + std::abs(want)));
    }
  }
}

TEST(PackedAttentionOnGpu, IsTheComposition) {
  if (!at::hasCUDA()) {
    GTEST_SKIP() << "no GPU";
  }
  for (const auto& [type, most] : {std::pair{at::kFloat, 1e-5}, {at::kHalf, 4e-3}, {at::kBFloat16, 3.2e-2}}) {
    const Problem here = made_up(type);
    const Segments there{here.molecules.first.cuda(), here.molecules.of.cuda()};
    for (const bool first_only : {false, true}) {
      expect_near(packed_attention(here.joint.cuda(), here.logits.cuda(), there, kHeads, first_only),
                  composed_attention(here.joint, here.logits, here.molecules, kHeads, first_only), first_only,
                  most);
    }
  }
}

TEST(PackedGaussiansOnGpu, AreTheComposition) {
  if (!at::hasCUDA()) {
    GTEST_SKIP() << "no GPU";
  }
  const Problem here = made_up(at::kFloat);
  const Segments there{here.molecules.first.cuda(), here.molecules.of.cuda()};
  const GaussianTables all = tables();
  const at::Tensor tokens = at::randint(kDictionary, {20}, at::kLong), distances = 9 * at::rand({156});
  const at::Tensor made = gaussian_features(
      tokens.cuda(), distances.cuda(), there,
      {all.factors.cuda(), all.offsets.cuda(), all.means.cuda(), all.widths.cuda(), kDictionary});
  const at::Tensor expected = composed_gaussian_features(tokens, distances, here.molecules, all);
  EXPECT_TRUE(at::allclose(made.cpu(), expected, 1e-4, 1e-5));
}

TEST(PackedAttention, KeepsTheLogitsInTheTypeOfTheQueries) {
  const Problem exact = made_up(at::kFloat);
  const AttentionOutput whole = packed_attention(exact.joint, exact.logits, exact.molecules, kHeads, false);
  const at::Tensor joint = exact.joint.to(at::kBFloat16);
  // The first layer has logits in float32.
  const AttentionOutput first = packed_attention(joint, exact.logits, exact.molecules, kHeads, false);
  EXPECT_EQ(first.out.scalar_type(), at::kBFloat16);
  EXPECT_EQ(first.logits.scalar_type(), at::kBFloat16);
  EXPECT_LE(farthest(first.out, whole.out), 3.2e-2);
  const AttentionOutput second = packed_attention(joint, first.logits, exact.molecules, kHeads, false);
  EXPECT_EQ(second.logits.scalar_type(), at::kBFloat16);
}

}  // namespace
}  // namespace molgauge::torch
