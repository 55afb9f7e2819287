// Compares attention in training between the GPU code path and the loops of the CPU. The GPU code path runs
// on the host here, and also on a GPU if there is one.

#include "base/numerics/torch/attention_kernels.h"

#include <tuple>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include "base/numerics/torch/autocast.h"
#include "base/numerics/torch/packed_attention.h"

namespace molgauge::torch {
namespace {

constexpr std::int64_t kHeads = 6;
constexpr double kDropout = 0.3;

struct Problem {
  Segments molecules;
  at::Tensor joint, logits, out_gradients, logit_gradients;
  KeyedDropout dropout;

  Problem on(c10::Device device) const {
    const auto there = [&](const at::Tensor& tensor) { return tensor.detach().to(device); };
    return {{there(molecules.first), there(molecules.of)},
            there(joint).requires_grad_(),
            there(logits).requires_grad_(),
            there(out_gradients),
            there(logit_gradients),
            dropout};
  }
};

/// Molecules of 5, 2, 11 and 3 tokens. The GPU code path divides the keys of a query into parts. Some
/// molecules have fewer keys than parts, and some leave a remainder.
Problem made_up(std::int64_t depth, bool first_only, double dropout) {
  at::manual_seed(9);
  const at::Tensor first = at::tensor({0, 5, 7, 18, 21}, at::kLong);
  const at::Tensor sizes = first.slice(0, 1) - first.slice(0, 0, 4);
  const std::int64_t width = kHeads * depth, pairs = 25 + 4 + 121 + 9;
  return {.molecules = {first, at::arange(4, at::kLong).repeat_interleave(sizes)},
          .joint = at::randn({21, 3 * width}),
          .logits = at::randn({pairs, kHeads}),
          .out_gradients = at::randn({first_only ? 4 : 21, width}),
          .logit_gradients = at::randn({pairs, kHeads}),
          .dropout = {at::tensor({3, 1, 4, 15}, at::kLong), dropout, 5}};
}

struct Made {
  at::Tensor out, logits, of_joint, of_logits;
};

using Attention = AttentionOutput (*)(const at::Tensor&, const at::Tensor&, const Segments&, std::int64_t,
                                      bool, const KeyedDropout&);

Made make(Attention attention, const Problem& problem, bool first_only) {
  const AttentionOutput made =
      attention(problem.joint, problem.logits, problem.molecules, kHeads, first_only, problem.dropout);
  at::Tensor value = (made.out * problem.out_gradients).sum();
  if (made.logits.defined()) {
    value = value + (made.logits * problem.logit_gradients).sum();
  }
  value.backward();
  return {made.out.detach().cpu(), made.logits.defined() ? made.logits.detach().cpu() : at::zeros({1}),
          problem.joint.grad().cpu(), problem.logits.grad().cpu()};
}

void expect_near(const Made& made, const Made& expected) {
  const auto near = [](const at::Tensor& one, const at::Tensor& other) {
    return at::allclose(one, other, 1e-4, 2e-5);
  };
  EXPECT_TRUE(near(made.out, expected.out));
  EXPECT_TRUE(near(made.logits, expected.logits));
  EXPECT_TRUE(near(made.of_joint, expected.of_joint));
  EXPECT_TRUE(near(made.of_logits, expected.of_logits));
}

void expect_same(const Made& one, const Made& other) {
  EXPECT_TRUE(at::equal(one.out, other.out));
  EXPECT_TRUE(at::equal(one.logits, other.logits));
  EXPECT_TRUE(at::equal(one.of_joint, other.of_joint));
  EXPECT_TRUE(at::equal(one.of_logits, other.of_logits));
}

using Case = std::tuple<std::int64_t, bool, double>;

class AttentionBySteps : public testing::TestWithParam<Case> {
 protected:
  std::int64_t depth() const { return std::get<0>(GetParam()); }
  bool first_only() const { return std::get<1>(GetParam()); }
  Problem problem() const { return made_up(depth(), first_only(), std::get<2>(GetParam())); }
};

TEST_P(AttentionBySteps, IsThatOfTheLoops) {
  expect_near(make(attention_kernels, problem().on(at::kCPU), first_only()),
              make(attend, problem().on(at::kCPU), first_only()));
}

/// The reference uses the same dropout.
TEST_P(AttentionBySteps, IsThatOfAtensOperators) {
  expect_near(make(composed_attention, problem().on(at::kCPU), first_only()),
              make(attend, problem().on(at::kCPU), first_only()));
}

TEST_P(AttentionBySteps, OnGpuIsThatOfTheLoopsAndTheSameTwice) {
  if (!at::hasCUDA() || !attends_by_steps(depth(), at::kCUDA)) {
    GTEST_SKIP() << "no GPU";
  }
  const Made there = make(attention_kernels, problem().on(c10::Device(c10::kCUDA, 0)), first_only());
  expect_near(there, make(attend, problem().on(at::kCPU), first_only()));
  expect_same(there, make(packed_attention, problem().on(c10::Device(c10::kCUDA, 0)), first_only()));
}

INSTANTIATE_TEST_SUITE_P(Sizes, AttentionBySteps,
                         testing::Combine(testing::Values(8, 16, 32), testing::Bool(),
                                          testing::Values(0.0, kDropout)));

/// If a pass needs gradients or dropout, its results are float32, for any precision of the products.
TEST(PackedAttentionInTraining, IsTheStepsInFloat32) {
  const Problem problem = made_up(8, false, kDropout);
  const Made expected = make(attention_kernels, problem.on(at::kCPU), false);
  expect_same(make(packed_attention, problem.on(at::kCPU), false), expected);
  const Autocast autocast(at::kCPU, at::kBFloat16);
  expect_same(make(packed_attention, problem.on(at::kCPU), false), expected);
  const c10::NoGradGuard no_gradients;
  EXPECT_TRUE(at::equal(
      packed_attention(problem.joint, problem.logits, problem.molecules, kHeads, false, problem.dropout).out,
      expected.out));
}

/// The numbers of a molecule do not depend on the other molecules of the batch.
TEST(AttentionOfOneMolecule, HasTheSameBytesAlone) {
  const Problem all = made_up(8, false, kDropout);
  const AttentionOutput together =
      attention_kernels(all.joint, all.logits, all.molecules, kHeads, false, all.dropout);
  const Segments one{at::tensor({0, 11}, at::kLong), at::zeros({11}, at::kLong)};
  const AttentionOutput alone =
      attention_kernels(all.joint.slice(0, 7, 18), all.logits.slice(0, 29, 150), one, kHeads, false,
                        {all.dropout.keys.slice(0, 2, 3), kDropout, all.dropout.place});
  EXPECT_TRUE(at::equal(alone.out, together.out.slice(0, 7, 18)));
  EXPECT_TRUE(at::equal(alone.logits, together.logits.slice(0, 29, 150)));
}

}  // namespace
}  // namespace molgauge::torch
