#include "base/numerics/ops/equivariant/source_messages.h"

#include <algorithm>

#include "base/numerics/ops/cpu/instruction_level.h"

namespace molgauge::ops {
namespace {

/// Number of sources to which weights are applied together.
constexpr std::int64_t kSources = 12;

}  // namespace

SourceMessages::SourceMessages(const MessageArguments& arguments, const SourceWeights& weights,
                               const std::vector<bool>& has_numbers)
    : arguments_(arguments),
      weights_(weights),
      has_numbers_(has_numbers),
      first_(arguments.first[0]),
      count_(arguments.first[arguments.nodes] - first_),
      // The array has additional room, because the last vector of columns of a term may reach beyond the
      // term.
      of_source_((arguments.hidden + 2) * weights.width) {
  if (weights.paths.empty() || count_ == 0) {
    return;
  }
  order_by_source();
  of_sources_ = Floats::zeros({kSources, of_source_});
  messages_ = Floats{count_ * weights.width + cpu::kProductColumns};
  std::fill_n(messages_.data() + count_ * weights.width, cpu::kProductColumns, 0.0F);
  for (std::int64_t first = 0; first < arguments.nodes; first += kSources) {
    const std::int64_t count = std::min(kSources, arguments.nodes - first);
    apply_weights(first, count);
    for (std::int64_t i = 0; i < count; ++i) {
      multiply_edges(first + i, of_sources_.data() + i * of_source_);
    }
  }
}

void SourceMessages::order_by_source() {
  starts_.assign(static_cast<std::size_t>(arguments_.nodes) + 1, 0);
  edges_.resize(static_cast<std::size_t>(count_));
  for (std::int64_t edge = first_; edge < first_ + count_; ++edge) {
    ++starts_[static_cast<std::size_t>(arguments_.source[edge]) + 1];
  }
  for (std::size_t node = 1; node < starts_.size(); ++node) {
    starts_[node] += starts_[node - 1];
  }
  std::vector<std::int64_t> next(starts_.begin(), starts_.end() - 1);
  for (std::int64_t edge = first_; edge < first_ + count_; ++edge) {
    edges_[static_cast<std::size_t>(next[static_cast<std::size_t>(arguments_.source[edge])]++)] = edge;
  }
}

void SourceMessages::apply_weights(std::int64_t first, std::int64_t count) {
  const std::int64_t row = arguments_.product.in().width();
  for (std::size_t i = 0; i < weights_.paths.size(); ++i) {
    const Path& path = weights_.paths[i];
    if (!has_numbers_[path.of->in]) {
      continue;
    }
    const std::int64_t room = room_of(path), columns = padded((arguments_.hidden + 1) * room);
    for (std::int64_t component = 0; component < path.in_components; ++component) {
      cpu::kernels().strided_product({.a = arguments_.rows + first * row + path.in_offset + component,
                                      .b = weights_.weights.data() + path.packed_weights,
                                      .c = of_sources_.data() + weights_.places[i] + component * room,
                                      .rows = count,
                                      .terms = path.of->in_channels,
                                      .columns = columns,
                                      .a_row = row,
                                      .a_term = path.in_components,
                                      .b_term = columns,
                                      .c_row = of_source_,
                                      .group = room,
                                      .c_group = weights_.width});
    }
  }
}

void SourceMessages::multiply_edges(std::int64_t source, const float* weights) {
  const std::int64_t hidden = arguments_.hidden, width = weights_.width;
  const std::int64_t begin = starts_[static_cast<std::size_t>(source)];
  cpu::kernels().strided_product({.a = arguments_.radial,
                                  .b = weights,
                                  .c = messages_.data() - first_ * width,
                                  .rows = starts_[static_cast<std::size_t>(source) + 1] - begin,
                                  .terms = hidden,
                                  .columns = width,
                                  .a_row = hidden,
                                  .a_term = 1,
                                  .b_term = width,
                                  .c_row = width,
                                  .column_start = weights + hidden * width,
                                  .row_numbers = edges_.data() + begin});
}

void SourceMessages::add_to(std::size_t block, const TileEdges& tile, std::int64_t width, float* to) {
  for (std::size_t i = 0; i < weights_.paths.size(); ++i) {
    const Path& path = weights_.paths[i];
    if (path.of->out != block || !has_numbers_[path.of->in]) {
      continue;
    }
    turn_harmonics(i, tile);
    float* own = to;
    for (const TileNode& node : tile.nodes) {
      const std::int64_t first = arguments_.first[node.number] - first_;
      for (std::int64_t component = 0; component < path.in_components; ++component) {
        cpu::kernels().strided_product(
            {.a = turns_.data() + component * path.out_components * tile.stride + node.first_edge,
             .b = messages_.data() + first * weights_.width + weights_.places[i] + component * room_of(path),
             .c = own,
             .rows = path.out_components,
             .terms = node.edges,
             .columns = path.of->out_channels,
             .a_row = tile.stride,
             .a_term = 1,
             .b_term = weights_.width,
             .c_row = width,
             .add = true});
      }
      own += path.out_components * width;
    }
  }
}

void SourceMessages::turn_harmonics(std::size_t path, const TileEdges& tile) {
  const std::int64_t rows = weights_.paths[path].in_components * weights_.paths[path].out_components;
  if (!turns_.defined() || turns_.count() < (rows + 1) * tile.stride) {
    turns_ = Floats{(rows + 1) * tile.stride};
  }
  float* const ones = turns_.data() + rows * tile.stride;
  std::fill_n(ones, tile.edges, 1.0F);
  cpu::loops().path_products(
      {.rows = ones,
       .harmonics = tile.harmonics + weights_.paths[path].harmonic_offset * tile.stride,
       .couplings = weights_.turns[path].data(),
       .coupling_count = static_cast<std::int64_t>(weights_.turns[path].size()),
       .channels = 1,
       .in_components = 1,
       .out_components = rows,
       .edges = tile.edges,
       .stride = tile.stride},
      turns_.data());
}

}  // namespace molgauge::ops
