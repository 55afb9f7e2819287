// Uni-Mol's attention over packed molecules on a GPU: the CUDA kernel beside ATen's composition. Without a
// GPU both are skipped, saying so.

#include <cstdint>

#include <ATen/ATen.h>
#include <benchmark/benchmark.h>

#include "torch/packed_attention.h"

namespace headroom::torch {
namespace {

/// Uni-Mol's heads; a typical drug molecule without hydrogens.
constexpr std::int64_t kHeads = 64, kDepth = 8, kTokens = 28;

using Operator = Attended (*)(const at::Tensor&, const at::Tensor&, const Segments&, std::int64_t, bool);

void attend_molecules(benchmark::State& state, Operator attention, at::ScalarType type) {
  if (!at::hasCUDA()) {
    state.SkipWithError("no GPU");
    return;
  }
  if (attention == packed_attention && !has_cuda_kernels()) {
    state.SkipWithError("built without the CUDA kernels");
    return;
  }
  const at::NoGradGuard no_gradients;
  const std::int64_t molecules = state.range(0);
  const auto options = at::TensorOptions(at::kCUDA).dtype(type);
  const Segments segments{
      at::arange(molecules + 1, at::TensorOptions(at::kCUDA).dtype(at::kLong)) * kTokens,
      at::arange(molecules, at::TensorOptions(at::kCUDA).dtype(at::kLong)).repeat_interleave(kTokens)};
  const at::Tensor joint = at::randn({molecules * kTokens, 3 * kHeads * kDepth}, options);
  const at::Tensor logits = at::randn({molecules * kTokens * kTokens, kHeads}, options);
  for (auto _ : state) {
    const Attended made = attention(joint, logits, segments, kHeads, false);
    // Reading one number waits for the GPU.
    benchmark::DoNotOptimize(made.out[0][0].item<float>());
  }
  state.SetItemsProcessed(state.iterations() * molecules);
}

BENCHMARK_CAPTURE(attend_molecules, kernel_float32, packed_attention, at::kFloat)->Arg(64)->Arg(512);
BENCHMARK_CAPTURE(attend_molecules, kernel_float16, packed_attention, at::kHalf)->Arg(64)->Arg(512);
BENCHMARK_CAPTURE(attend_molecules, kernel_bfloat16, packed_attention, at::kBFloat16)->Arg(64)->Arg(512);
BENCHMARK_CAPTURE(attend_molecules, composed_float32, composed_attention, at::kFloat)->Arg(64)->Arg(512);

}  // namespace
}  // namespace headroom::torch

BENCHMARK_MAIN();
