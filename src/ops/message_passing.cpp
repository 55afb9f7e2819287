#include "ops/message_passing.h"

#include <ATen/ATen.h>

#include "ops/cpu/message_passing.h"
#include "ops/kernel_choice.h"
#include "ops/torch_compatibility.h"

namespace headroom::ops {

at::Tensor message_passing_reference(const at::Tensor& nodes, const Edges& edges, const at::Tensor& kinds) {
  const at::Tensor messages =
      at::relu(nodes.index_select(0, edges.source) + kinds.index_select(0, edges.kind));
  return nodes.index_add(0, edges.target, messages);
}

at::Tensor message_passing(const at::Tensor& nodes, const Edges& edges, const at::Tensor& kinds) {
  if (!cpu_kernels_apply({nodes, kinds})) {
    return message_passing_reference(nodes, edges, kinds);
  }
  at::Tensor out = at::empty_like(nodes);
  cpu::message_passing({.nodes = read_numbers<float>(nodes),
                        .kinds = read_numbers<float>(kinds),
                        .source = read_numbers<std::int64_t>(edges.source),
                        .kind = read_numbers<std::int64_t>(edges.kind),
                        .first = read_numbers<std::int64_t>(edges.first),
                        .node_count = nodes.size(0),
                        .width = nodes.size(1)},
                       write_numbers<float>(out));
  return out;
}

}  // namespace headroom::ops
