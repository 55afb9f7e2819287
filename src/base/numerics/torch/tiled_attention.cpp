#include "base/numerics/torch/tiled_attention.h"

#include <cmath>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "base/core/error.h"
#include "base/numerics/torch/attention_kernels.h"
#include "base/numerics/torch/cuda/tiled_attention.h"
#include "base/numerics/torch/run_kernel.h"
#include "base/numerics/torch/torch_compatibility.h"

namespace molgauge::torch {
namespace {

template <int kDepth, typename Number>
void run(const at::Tensor& joint, const at::Tensor& before, const Segments& molecules, std::int64_t heads,
         const AttentionOutput& made) {
  const at::Tensor pairs = first_pairs(molecules);
  const cuda::TiledAttention<kDepth, Number> tiles{.joint = read_numbers<Number>(joint),
                                                   .before = read_numbers<Number>(before),
                                                   .after = write_numbers<Number>(made.logits),
                                                   .out = write_numbers<Number>(made.out),
                                                   .first = read_numbers<std::int64_t>(molecules.first),
                                                   .of = read_numbers<std::int64_t>(molecules.of),
                                                   .first_pair = read_numbers<std::int64_t>(pairs),
                                                   .n = joint.size(0),
                                                   .heads = heads,
                                                   .scale = 1 / std::sqrt(static_cast<float>(kDepth))};
  run_tiles(tiles, tiles.tiles(), joint.device());
}

template <int kDepth>
void run_for_type(const at::Tensor& joint, const at::Tensor& before, const Segments& molecules,
                  std::int64_t heads, const AttentionOutput& made) {
  switch (joint.scalar_type()) {
    case at::kHalf:
      return run<kDepth, c10::Half>(joint, before, molecules, heads, made);
    case at::kBFloat16:
      return run<kDepth, c10::BFloat16>(joint, before, molecules, heads, made);
    default:
      return run<kDepth, float>(joint, before, molecules, heads, made);
  }
}

}  // namespace

AttentionOutput tiled_attention(const at::Tensor& joint, const at::Tensor& logits, const Segments& molecules,
                                std::int64_t heads) {
  const at::Tensor all = joint.contiguous(), before = logits.to(joint.scalar_type()).contiguous();
  const std::int64_t width = joint.size(1) / 3, depth = width / heads;
  const AttentionOutput made{at::empty({joint.size(0), width}, all.options()), at::empty_like(before)};
  switch (depth) {
    case 8:
      run_for_type<8>(all, before, molecules, heads, made);
      return made;
    case 16:
      run_for_type<16>(all, before, molecules, heads, made);
      return made;
    case 32:
      run_for_type<32>(all, before, molecules, heads, made);
      return made;
    default:
      throw Error(
          fmt::format("tiled attention has kernels for heads of 8, 16 and 32 numbers, not {}", depth));
  }
}

}  // namespace molgauge::torch
