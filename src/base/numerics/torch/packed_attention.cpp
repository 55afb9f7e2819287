#include "base/numerics/torch/packed_attention.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "base/numerics/torch/attention_kernels.h"
#include "base/numerics/torch/autocast.h"
#include "base/numerics/torch/run_kernel.h"
#include "base/numerics/torch/tiled_attention.h"
#include "base/numerics/torch/torch_compatibility.h"
#ifdef MOLGAUGE_CUDA_KERNELS
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "base/numerics/torch/cuda/packed_attention.h"
#include "base/numerics/torch/cuda_errors.h"
#endif

namespace molgauge::torch {
namespace {

constexpr double kLeastKernelWidth = 1e-5;
constexpr double kPiOfTheNetwork = 3.14159;

bool has_gradient(std::initializer_list<at::Tensor> tensors) {
  return c10::GradMode::is_enabled() &&
         std::any_of(tensors.begin(), tensors.end(),
                     [](const at::Tensor& one) { return one.requires_grad(); });
}

#ifdef MOLGAUGE_CUDA_KERNELS
bool is_stored(const at::Tensor& numbers) {
  const at::ScalarType type = numbers.scalar_type();
  return type == at::kFloat || type == at::kHalf || type == at::kBFloat16;
}

cuda::Storage storage_of(const at::Tensor& numbers) {
  return numbers.scalar_type() == at::kHalf       ? cuda::Storage::float16
         : numbers.scalar_type() == at::kBFloat16 ? cuda::Storage::bfloat16
                                                  : cuda::Storage::float32;
}

AttentionOutput attend_first_tokens(const at::Tensor& joint, const at::Tensor& before,
                                    const Segments& molecules, std::int64_t heads) {
  const c10::cuda::CUDAGuard guard(joint.device());
  const std::int64_t width = joint.size(1) / 3;
  AttentionOutput result{at::empty({molecules.count(), width}, joint.options()), at::Tensor()};
  const at::Tensor pairs = first_pairs(molecules);
  const cuda::AttentionLaunch launch{
      .joint = joint.data_ptr(),
      .before = before.data_ptr(),
      .out = result.out.data_ptr(),
      .first = read_numbers<std::int64_t>(molecules.first),
      .first_pair = read_numbers<std::int64_t>(pairs),
      .molecules = molecules.count(),
      .heads = heads,
      .depth = width / heads,
      .scale = 1 / std::sqrt(static_cast<float>(width / heads)),
      .storage = storage_of(joint),
  };
  require_success(cuda::launch(launch, c10::cuda::getCurrentCUDAStream().stream()));
  return result;
}
#endif

/// Returns the ids of the first tokens and the ids of the second tokens of all pairs, [P] each.
std::pair<at::Tensor, at::Tensor> tokens_of_pairs(const at::Tensor& tokens, const Segments& molecules) {
  std::vector<at::Tensor> firsts, seconds;
  const at::Tensor begin = molecules.first.cpu();
  const auto* const first = read_numbers<std::int64_t>(begin);
  for (std::int64_t molecule = 0; molecule < molecules.count(); ++molecule) {
    const at::Tensor own = tokens.slice(0, first[molecule], first[molecule + 1]);
    firsts.push_back(own.repeat_interleave(own.size(0)));
    seconds.push_back(own.repeat({own.size(0)}));
  }
  return {at::cat(firsts), at::cat(seconds)};
}

}  // namespace

AttentionOutput composed_attention(const at::Tensor& joint, const at::Tensor& logits,
                                   const Segments& molecules, std::int64_t heads, bool first_only,
                                   const KeyedDropout& dropout) {
  const std::int64_t depth = joint.size(1) / 3 / heads;
  const at::Tensor begin = molecules.first.cpu();
  const auto* const first = read_numbers<std::int64_t>(begin);
  std::vector<at::Tensor> outs, afters;
  std::int64_t pair = 0;
  for (std::int64_t molecule = 0; molecule < molecules.count(); ++molecule) {
    const std::int64_t tokens = first[molecule + 1] - first[molecule];
    const std::int64_t queries = first_only ? std::min<std::int64_t>(tokens, 1) : tokens;
    // [3, heads, tokens, depth]
    const at::Tensor parts = joint.slice(0, first[molecule], first[molecule + 1])
                                 .view({tokens, 3, depth, heads})
                                 .permute({1, 3, 0, 2})
                                 .to(at::kFloat);
    const at::Tensor scaled = parts[0].slice(1, 0, queries) / std::sqrt(static_cast<double>(depth));
    const at::Tensor before = logits.slice(0, pair, pair + queries * tokens)
                                  .view({queries, tokens, heads})
                                  .permute({2, 0, 1})
                                  .to(at::kFloat);
    const at::Tensor after = before + at::matmul(scaled, parts[1].transpose(1, 2));
    at::Tensor weights = at::softmax(after, -1);
    if (dropout.is_active()) {
      weights = weights * weight_factors(dropout, molecule, queries, tokens * heads)
                              .view({queries, tokens, heads})
                              .permute({2, 0, 1})
                              .to(joint.device());
    }
    const at::Tensor mixed = at::matmul(weights, parts[2]);  // [heads, queries, depth]
    outs.push_back(mixed.permute({1, 2, 0}).reshape({queries, depth * heads}));
    afters.push_back(after.permute({1, 2, 0}).reshape({queries * tokens, heads}));
    pair += tokens * tokens;
  }
  return {at::cat(outs).to(joint.scalar_type()),
          first_only ? at::Tensor() : at::cat(afters).to(logits.scalar_type())};
}

AttentionOutput packed_attention(const at::Tensor& joint, const at::Tensor& logits, const Segments& molecules,
                                 std::int64_t heads, bool first_only, const KeyedDropout& dropout) {
  const std::int64_t depth = joint.size(1) / 3 / heads;
  if (dropout.is_active() || has_gradient({joint, logits})) {
    const FullPrecision full;
    const auto attention = attends_by_steps(depth, joint.device()) ? attention_kernels : composed_attention;
    return attention(joint.to(at::kFloat), logits.to(at::kFloat), molecules, heads, first_only, dropout);
  }
  const at::Tensor pairs = logits.to(joint.scalar_type());
#ifdef MOLGAUGE_CUDA_KERNELS
  if (joint.is_cuda() && is_stored(joint) && cuda::attends(heads, depth)) {
    return first_only ? attend_first_tokens(joint.contiguous(), pairs.contiguous(), molecules, heads)
                      : tiled_attention(joint, pairs, molecules, heads);
  }
#endif
  return composed_attention(joint, pairs, molecules, heads, first_only);
}

at::Tensor composed_gaussian_features(const at::Tensor& tokens, const at::Tensor& distances,
                                      const Segments& molecules, const GaussianTables& tables) {
  const auto [first, second] = tokens_of_pairs(tokens, molecules);
  const at::Tensor kind = first * tables.dictionary + second;
  const at::Tensor place =
      tables.factors.index_select(0, kind) * distances.unsqueeze(1) + tables.offsets.index_select(0, kind);
  const at::Tensor width = tables.widths.abs() + kLeastKernelWidth;
  const at::Tensor far = (place - tables.means) / width;
  return at::exp(-0.5 * far * far) / (std::sqrt(2 * kPiOfTheNetwork) * width);
}

at::Tensor gaussian_features(const at::Tensor& tokens, const at::Tensor& distances, const Segments& molecules,
                             const GaussianTables& tables) {
#ifdef MOLGAUGE_CUDA_KERNELS
  if (tokens.is_cuda() && !has_gradient({tables.factors, tables.offsets, tables.means, tables.widths})) {
    const c10::cuda::CUDAGuard guard(tokens.device());
    const at::Tensor out = at::empty({distances.size(0), tables.means.size(1)}, distances.options());
    const at::Tensor pairs = first_pairs(molecules);
    const at::Tensor factors = tables.factors.contiguous(), offsets = tables.offsets.contiguous(),
                     means = tables.means.contiguous(), widths = tables.widths.contiguous();
    const cuda::GaussianLaunch launch{
        .tokens = read_numbers<std::int64_t>(tokens),
        .distances = read_numbers<float>(distances),
        .factors = read_numbers<float>(factors),
        .offsets = read_numbers<float>(offsets),
        .means = read_numbers<float>(means),
        .widths = read_numbers<float>(widths),
        .out = out.data_ptr(),
        .first = read_numbers<std::int64_t>(molecules.first),
        .of = read_numbers<std::int64_t>(molecules.of),
        .first_pair = read_numbers<std::int64_t>(pairs),
        .n = tokens.size(0),
        .dictionary = tables.dictionary,
        .kernels = tables.means.size(1),
        .storage = cuda::Storage::float32,
    };
    require_success(cuda::launch(launch, c10::cuda::getCurrentCUDAStream().stream()));
    return out;
  }
#endif
  return composed_gaussian_features(tokens, distances, molecules, tables);
}

}  // namespace molgauge::torch
