#include "base/numerics/ops/graph.h"

#include <algorithm>
#include <utility>

#include "base/numerics/ops/cpu/instruction_level.h"

namespace molgauge::ops {
namespace {

cpu::MessagePassing arguments(const Floats& nodes, const Edges& edges, const Floats& kinds) {
  return {.nodes = nodes.data(),
          .kinds = kinds.data(),
          .source = edges.source.data(),
          .kind = edges.kind.data(),
          .first = edges.first.data(),
          .width = nodes.width()};
}

cpu::Runs runs_of(const Floats& rows, const Segments& segments) {
  return {.first = segments.first.data(), .count = segments.count(), .width = rows.width()};
}

}  // namespace

Segments make_segments(const std::vector<std::int64_t>& sizes) {
  const auto count = static_cast<std::int64_t>(sizes.size());
  Segments segments{.first = Integers::zeros({count + 1}), .of = {}};
  std::int64_t* const first = segments.first.data();
  for (std::int64_t segment = 0; segment < count; ++segment) {
    first[segment + 1] = first[segment] + sizes[static_cast<std::size_t>(segment)];
  }
  segments.of = Integers{first[count]};
  for (std::int64_t segment = 0; segment < count; ++segment) {
    std::fill(segments.of.data() + first[segment], segments.of.data() + first[segment + 1], segment);
  }
  return segments;
}

Floats message_passing(const Floats& nodes, const Edges& edges, const Floats& kinds) {
  Floats out(nodes.shape());
  cpu::kernels().message_passing(arguments(nodes, edges, kinds), 0, nodes.size(0), out.data());
  return out;
}

Floats gine_layer(const Floats& nodes, const Edges& edges, const Floats& kinds, const Dense& hidden,
                  const Dense& out, Floats residual) {
  const cpu::Kernels& kernels = cpu::kernels();
  const cpu::Layer& first_layer = hidden.packed();
  const cpu::Layer& second_layer = out.packed();
  const cpu::MessagePassing graph = arguments(nodes, edges, kinds);
  const std::int64_t widest = std::max({first_layer.in, first_layer.out, second_layer.out});
  const bool add = residual.defined();
  Floats sum = add ? std::move(residual) : Floats{nodes.size(0), second_layer.out};
  for_row_blocks(nodes.size(0), [&](std::int64_t first, std::int64_t rows) {
    cpu::DenseScratch& scratch = cpu::dense_scratch(widest);
    kernels.message_passing(graph, first, first + rows, scratch.gathered());
    kernels.dense(first_layer, scratch.gathered(), rows, scratch.rounded(), scratch.product(),
                  /*add=*/false, scratch.between());
    kernels.dense(second_layer, scratch.between(), rows, scratch.rounded(), scratch.product(), add,
                  sum.data() + first * second_layer.out);
  });
  return sum;
}

Floats segment_sum(const Floats& rows, const Segments& segments) {
  Floats sums{segments.count(), rows.width()};
  cpu::kernels().segment_sum(rows.data(), runs_of(rows, segments), sums.data());
  return sums;
}

Floats segment_max(const Floats& rows, const Segments& segments) {
  Floats largest{segments.count(), rows.width()};
  cpu::kernels().segment_max(rows.data(), runs_of(rows, segments), largest.data());
  return largest;
}

Floats add_to_segments(const Floats& rows, const Floats& addends, const Segments& segments) {
  Floats sums(rows.shape());
  cpu::kernels().add_to_segments(rows.data(), addends.data(), runs_of(rows, segments), sums.data());
  return sums;
}

}  // namespace molgauge::ops
