#include "ops/cpu/message_passing.h"

#include <algorithm>

namespace headroom::ops::cpu {
namespace {

void add_message(const float* __restrict source, const float* __restrict kind, std::int64_t width,
                 float* __restrict sum) {
  for (std::int64_t i = 0; i < width; ++i) {
    const float message = source[i] + kind[i];
    sum[i] += message > 0.0F ? message : 0.0F;
  }
}

}  // namespace

void message_passing(const MessagePassing& graph, float* out) {
  const std::int64_t width = graph.width;
  for (std::int64_t node = 0; node < graph.node_count; ++node) {
    float* const sum = out + node * width;
    std::copy_n(graph.nodes + node * width, width, sum);
    for (std::int64_t edge = graph.first[node]; edge < graph.first[node + 1]; ++edge) {
      add_message(graph.nodes + graph.source[edge] * width, graph.kinds + graph.kind[edge] * width, width,
                  sum);
    }
  }
}

}  // namespace headroom::ops::cpu
