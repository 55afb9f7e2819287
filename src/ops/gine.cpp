#include "ops/gine.h"

#include <algorithm>

#include <ATen/ATen.h>

#include "ops/cpu/instruction_level.h"
#include "ops/kernel_choice.h"
#include "ops/row_blocks.h"
#include "ops/torch_compatibility.h"

namespace headroom::ops {

at::Tensor gine_layer_reference(const at::Tensor& nodes, const Edges& edges, const at::Tensor& kinds,
                                const Dense& hidden, const Dense& out, const at::Tensor& residual) {
  // Each step takes the place of the one before.
  at::Tensor y = message_passing_reference(nodes, edges, kinds);
  y = hidden.reference(y);
  y = out.reference(y);
  return residual.defined() ? y.add_(residual) : y;
}

at::Tensor gine_layer(const at::Tensor& nodes, const Edges& edges, const at::Tensor& kinds,
                      const Dense& hidden, const Dense& out, at::Tensor residual) {
  const cpu::Layer* const first_layer = hidden.packed();
  const cpu::Layer* const second_layer = out.packed();
  if (first_layer == nullptr || second_layer == nullptr || !cpu_kernels_apply({nodes, kinds}) ||
      (residual.defined() && !cpu_kernels_apply({residual}))) {
    return gine_layer_reference(nodes, edges, kinds, hidden, out, residual);
  }
  const cpu::Kernels& kernels = cpu::kernels();
  const cpu::MessagePassing graph = message_passing_arguments(nodes, edges, kinds);
  const std::int64_t widest = std::max({first_layer->in, first_layer->out, second_layer->out});
  const bool add = residual.defined();
  const at::Tensor sum = add ? residual : at::empty({nodes.size(0), second_layer->out}, nodes.options());
  float* const to = write_numbers<float>(sum);
  for_row_blocks(nodes.size(0), [&](std::int64_t first, std::int64_t rows) {
    cpu::DenseScratch& scratch = cpu::dense_scratch(widest);
    kernels.message_passing(graph, first, first + rows, scratch.gathered());
    kernels.dense(*first_layer, scratch.gathered(), rows, scratch.rounded(), scratch.product(),
                  /*add=*/false, scratch.between());
    kernels.dense(*second_layer, scratch.between(), rows, scratch.rounded(), scratch.product(), add,
                  to + first * second_layer->out);
  });
  return sum;
}

}  // namespace headroom::ops
