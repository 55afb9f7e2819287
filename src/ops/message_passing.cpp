#include "ops/message_passing.h"

#include <ATen/ATen.h>

#include "ops/cpu/instruction_level.h"
#include "ops/kernel_choice.h"
#include "ops/segment.h"
#include "ops/torch_compatibility.h"

namespace headroom::ops {

at::Tensor message_passing_reference(const at::Tensor& nodes, const Edges& edges, const at::Tensor& kinds) {
  // In place: two messages of an edge at a time, not four.
  const at::Tensor messages =
      nodes.index_select(0, edges.source).add_(kinds.index_select(0, edges.kind)).relu_();
  return nodes + sum_of_runs(messages, edges.first);
}

cpu::MessagePassing message_passing_arguments(const at::Tensor& nodes, const Edges& edges,
                                              const at::Tensor& kinds) {
  return {.nodes = read_numbers<float>(nodes),
          .kinds = read_numbers<float>(kinds),
          .source = read_numbers<std::int64_t>(edges.source),
          .kind = read_numbers<std::int64_t>(edges.kind),
          .first = read_numbers<std::int64_t>(edges.first),
          .width = nodes.size(1)};
}

at::Tensor message_passing(const at::Tensor& nodes, const Edges& edges, const at::Tensor& kinds) {
  if (!cpu_kernels_apply({nodes, kinds})) {
    return message_passing_reference(nodes, edges, kinds);
  }
  at::Tensor out = at::empty_like(nodes);
  cpu::kernels().message_passing(message_passing_arguments(nodes, edges, kinds), 0, nodes.size(0),
                                 write_numbers<float>(out));
  return out;
}

}  // namespace headroom::ops
