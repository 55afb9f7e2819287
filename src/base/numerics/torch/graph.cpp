#include "base/numerics/torch/graph.h"

#include <limits>

#include <ATen/ATen.h>

#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/kernel_choice.h"
#include "base/numerics/torch/row_kernels.h"
#include "base/numerics/torch/uploads.h"

namespace molgauge::torch {

Edges as_tensors(const ops::Edges& edges) {
  return {.source = as_tensor(edges.source), .kind = as_tensor(edges.kind), .first = as_tensor(edges.first)};
}

Segments on_device(const ops::Segments& segments, c10::Device device) {
  Segments there = as_tensors(segments, device);
  move_together({&there.first, &there.of, &there.first_pair}, device);
  return there;
}

Segments as_tensors(const ops::Segments& segments, c10::Device device) {
  Segments here{.first = as_tensor(segments.first), .of = as_tensor(segments.of)};
  if (!device.is_cpu() || uses_kernels(device)) {
    ops::Integers pairs{segments.count()};
    std::int64_t before = 0;
    for (std::int64_t segment = 0; segment < segments.count(); ++segment) {
      pairs.data()[segment] = before;
      const std::int64_t rows = segments.first.data()[segment + 1] - segments.first.data()[segment];
      before += rows * rows;
    }
    here.first_pair = as_tensor(pairs);
  }
  return here;
}

at::Tensor sum_of_runs(const at::Tensor& rows, const at::Tensor& first) {
  if (rows.numel() == 0) {  // before LibTorch 2, the operator refuses empty input
    return at::zeros({first.size(0) - 1, rows.size(1)}, rows.options());
  }
  return at::segment_reduce(rows, "sum", /*lengths=*/{}, /*indices=*/{}, first, /*axis=*/0, /*unsafe=*/true,
                            /*initial=*/0);
}

at::Tensor message_passing(const at::Tensor& nodes, const Edges& edges, const at::Tensor& kinds) {
  if (fuses({nodes, kinds})) {
    return message_passing_kernel(nodes, edges, kinds);
  }
  // The operations work in place, so each edge needs memory for two messages instead of four.
  const at::Tensor messages =
      nodes.index_select(0, edges.source).add_(kinds.index_select(0, edges.kind)).relu_();
  return nodes + sum_of_runs(messages, edges.first);
}

at::Tensor gine_layer(const at::Tensor& nodes, const Edges& edges, const at::Tensor& kinds,
                      const Dense& hidden, const Dense& out, const at::Tensor& residual) {
  // Each step reuses the variable of the previous one, which frees its tensor.
  at::Tensor y = message_passing(nodes, edges, kinds);
  y = hidden(y);
  return out(y, residual);
}

at::Tensor segment_sum(const at::Tensor& rows, const Segments& segments) {
  return sum_of_runs(rows, segments.first);
}

at::Tensor add_segment_sums(const at::Tensor& states, const at::Tensor& rows, const Segments& segments,
                            const at::Tensor& factors) {
  if (fuses({states, rows, factors})) {
    return segment_sum_kernel(states, rows, segments, factors);
  }
  return states + factors * segment_sum(rows, segments);
}

at::Tensor segment_max(const at::Tensor& rows, const Segments& segments) {
  if (fuses({rows})) {
    return segment_max_kernel(rows, segments);
  }
  const at::Tensor lowest =
      at::full({segments.count(), rows.size(1)}, -std::numeric_limits<float>::infinity(), rows.options());
  return lowest.scatter_reduce(0, segments.of.unsqueeze(1).expand_as(rows), rows, "amax");
}

at::Tensor add_to_segments(const at::Tensor& rows, const at::Tensor& addends, const Segments& segments) {
  if (fuses({rows, addends})) {
    return add_to_segments_kernel(rows, addends, segments);
  }
  return rows + addends.index_select(0, segments.of);
}

}  // namespace molgauge::torch
