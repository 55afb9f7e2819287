// Compares the CUDA kernels for the attention of Uni-Mol over packed molecules with a composition of ATen
// operators, in inference and in training. Without a GPU, it skips with a message.

#include <cstdint>

#include <ATen/ATen.h>
#include <benchmark/benchmark.h>
#include <c10/core/GradMode.h>

#include "base/numerics/torch/packed_attention.h"
#include "base/numerics/torch/run_kernel.h"

namespace molgauge::torch {
namespace {

/// The sizes of the heads of Uni-Mol, and the number of atoms of a typical drug molecule without hydrogens.
constexpr std::int64_t kHeads = 64, kDepth = 8, kTokens = 28;

using Operator = decltype(&packed_attention);

const c10::Device kGpu(c10::kCUDA, 0);

/// The inputs of the attention for a batch of molecules, on the GPU.
struct Problem {
  Problem(std::int64_t molecules, at::ScalarType type)
      : segments{at::arange(molecules + 1, at::TensorOptions(kGpu).dtype(at::kLong)) * kTokens,
                 at::arange(molecules, at::TensorOptions(kGpu).dtype(at::kLong)).repeat_interleave(kTokens)},
        joint(at::randn({molecules * kTokens, 3 * kHeads * kDepth}, at::TensorOptions(kGpu).dtype(type))),
        logits(at::randn({molecules * kTokens * kTokens, kHeads}, joint.options())) {}

  Segments segments;
  at::Tensor joint, logits;
};

bool can_run(benchmark::State& state, Operator attention) {
  if (!at::hasCUDA()) {
    state.SkipWithError("no GPU");
    return false;
  }
  if (attention != composed_attention && !has_steps_of_gpus()) {
    state.SkipWithError("built without the CUDA kernels");
    return false;
  }
  return true;
}

void attend_molecules(benchmark::State& state, Operator attention, at::ScalarType type) {
  if (!can_run(state, attention)) {
    return;
  }
  const c10::NoGradGuard no_gradients;
  const Problem problem(state.range(0), type);
  for (auto _ : state) {
    const AttentionOutput made =
        attention(problem.joint, problem.logits, problem.segments, kHeads, false, {});
    // The host waits for the GPU when it reads a number.
    benchmark::DoNotOptimize(made.out[0][0].item<float>());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

/// Runs forward and backward passes, with dropout.
void train_on_molecules(benchmark::State& state, Operator attention) {
  if (!can_run(state, attention)) {
    return;
  }
  const Problem problem(state.range(0), at::kFloat);
  const KeyedDropout dropout{at::arange(state.range(0), at::kLong), 0.1, 0};
  for (auto _ : state) {
    const at::Tensor joint = problem.joint.detach().requires_grad_(),
                     logits = problem.logits.detach().requires_grad_();
    const AttentionOutput made = attention(joint, logits, problem.segments, kHeads, false, dropout);
    (made.out.sum() + made.logits.sum()).backward();
    benchmark::DoNotOptimize(joint.grad()[0][0].item<float>());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK_CAPTURE(attend_molecules, kernel_float32, packed_attention, at::kFloat)->Arg(64)->Arg(512);
BENCHMARK_CAPTURE(attend_molecules, kernel_float16, packed_attention, at::kHalf)->Arg(64)->Arg(512);
BENCHMARK_CAPTURE(attend_molecules, kernel_bfloat16, packed_attention, at::kBFloat16)->Arg(64)->Arg(512);
BENCHMARK_CAPTURE(attend_molecules, composed_float32, composed_attention, at::kFloat)->Arg(64)->Arg(512);
BENCHMARK_CAPTURE(train_on_molecules, kernels, packed_attention)->Arg(64)->Arg(512);
BENCHMARK_CAPTURE(train_on_molecules, composed, composed_attention)->Arg(64)->Arg(512);

}  // namespace
}  // namespace molgauge::torch

BENCHMARK_MAIN();
