#include "ops/equivariant/source_messages.h"

#include <algorithm>

#include "ops/cpu/instruction_level.h"

namespace headroom::ops {
namespace {

/// Sources whose weights are applied together, and edges of a source that are multiplied together.
constexpr std::int64_t kSources = 12, kEdges = 48;

/// Numbers that a component of a path has room for, so that products can be stored where they belong.
std::int64_t room_of(const Path& path) {
  return (path.of->out_channels + cpu::kGroupColumns - 1) / cpu::kGroupColumns * cpu::kGroupColumns;
}

}  // namespace

bool SourceMessages::suits(const TensorProduct& product, const ProductPath& path) {
  const std::int64_t in = product.in().blocks()[path.in].components(),
                     out = product.out().blocks()[path.out].components();
  return in < out && path.out_channels * in <= path.in_channels * out;
}

SourceMessages::SourceMessages(const MessageArguments& arguments)
    : arguments_(arguments),
      paths_(describe_paths(arguments.product, arguments.hidden,
                            [&](const ProductPath& path) { return suits(arguments.product, path); })),
      terms_(arguments.hidden + 1),
      first_(arguments.first[0]),
      count_(arguments.first[arguments.nodes] - first_) {
  if (paths_.empty() || count_ == 0) {
    paths_.clear();
    return;
  }
  pack();
  order_by_source();
  of_sources_ = Floats::zeros({kSources, of_source_});
  radial_ = Floats{kEdges, arguments.hidden};
  made_ = Floats{kEdges, width_};
  messages_ = Floats{count_ * width_ + cpu::kProductColumns};
  std::fill_n(messages_.data() + count_ * width_, cpu::kProductColumns, 0.0F);
  for (std::int64_t first = 0; first < arguments.nodes; first += kSources) {
    const std::int64_t count = std::min(kSources, arguments.nodes - first);
    apply_weights(first, count);
    for (std::int64_t i = 0; i < count; ++i) {
      multiply_edges(first + i, of_sources_.data() + i * of_source_);
    }
  }
}

void SourceMessages::pack() {
  std::int64_t weights = 0, numbers = 0;
  for (const Path& path : paths_) {
    places_.push_back(numbers);
    packed_.push_back(weights);
    numbers += path.in_components * room_of(path);
    turns_of_.push_back(path.couplings);
    for (ScaledCoupling& coupling : turns_of_.back()) {
      coupling = {0, coupling.second,
                  static_cast<std::int32_t>(coupling.first * path.out_components + coupling.third),
                  coupling.value};
    }
    weights += path.of->in_channels * padded(terms_ * room_of(path));
  }
  width_ = padded(numbers);
  weights_ = Floats::zeros({weights});
  of_source_ = (terms_ + 1) * width_;  // the last vector of columns may reach into another term
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const ProductPath& path = *paths_[i].of;
    const std::int64_t room = room_of(paths_[i]), columns = padded(terms_ * room);
    for (std::int64_t u = 0; u < path.in_channels; ++u) {
      float* const to = weights_.data() + packed_[i] + u * columns;
      for (std::int64_t w = 0; w < path.out_channels; ++w) {
        const std::int64_t row = path.first_weight + u * path.out_channels + w;
        for (std::int64_t p = 0; p < arguments_.hidden; ++p) {
          to[p * room + w] = arguments_.weight[row * arguments_.hidden + p];
        }
        to[arguments_.hidden * room + w] = arguments_.bias[row];
      }
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
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const Path& path = paths_[i];
    const std::int64_t room = room_of(path), columns = padded(terms_ * room);
    for (std::int64_t component = 0; component < path.in_components; ++component) {
      cpu::kernels().strided_product({.a = arguments_.rows + first * row + path.in_offset + component,
                                      .b = weights_.data() + packed_[i],
                                      .c = of_sources_.data() + places_[i] + component * room,
                                      .rows = count,
                                      .terms = path.of->in_channels,
                                      .columns = columns,
                                      .a_row = row,
                                      .a_term = path.in_components,
                                      .b_term = columns,
                                      .c_row = of_source_,
                                      .group = room,
                                      .c_group = width_});
    }
  }
}

void SourceMessages::multiply_edges(std::int64_t source, const float* weights) {
  const std::int64_t hidden = arguments_.hidden, end = starts_[static_cast<std::size_t>(source) + 1];
  for (std::int64_t begin = starts_[static_cast<std::size_t>(source)]; begin < end; begin += kEdges) {
    const std::int64_t count = std::min(kEdges, end - begin);
    const std::int64_t* const edges = edges_.data() + begin;
    cpu::loops().copy_rows({.count = count,
                            .width = hidden,
                            .from = arguments_.radial,
                            .from_row = hidden,
                            .to = radial_.data(),
                            .to_row = hidden,
                            .from_numbers = edges});
    cpu::kernels().strided_product({.a = radial_.data(),
                                    .b = weights,
                                    .c = made_.data(),
                                    .rows = count,
                                    .terms = hidden,
                                    .columns = width_,
                                    .a_row = hidden,
                                    .a_term = 1,
                                    .b_term = width_,
                                    .c_row = width_,
                                    .column_start = weights + hidden * width_});
    cpu::loops().copy_rows({.count = count,
                            .width = width_,
                            .from = made_.data(),
                            .from_row = width_,
                            .to = messages_.data() - first_ * width_,
                            .to_row = width_,
                            .to_numbers = edges});
  }
}

void SourceMessages::add_to(std::size_t block, const TileEdges& tile, std::int64_t width, float* to) {
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const Path& path = paths_[i];
    if (path.of->out != block) {
      continue;
    }
    turn_harmonics(i, tile);
    float* own = to;
    for (const TileNode& node : tile.nodes) {
      const std::int64_t first = arguments_.first[node.number] - first_;
      for (std::int64_t component = 0; component < path.in_components; ++component) {
        cpu::kernels().strided_product(
            {.a = turns_.data() + component * path.out_components * tile.stride + node.first_edge,
             .b = messages_.data() + first * width_ + places_[i] + component * room_of(path),
             .c = own,
             .rows = path.out_components,
             .terms = node.edges,
             .columns = path.of->out_channels,
             .a_row = tile.stride,
             .a_term = 1,
             .b_term = width_,
             .c_row = width,
             .add = true});
      }
      own += path.out_components * width;
    }
  }
}

void SourceMessages::turn_harmonics(std::size_t path, const TileEdges& tile) {
  const std::int64_t rows = paths_[path].in_components * paths_[path].out_components;
  if (!turns_.defined() || turns_.count() < (rows + 1) * tile.stride) {
    turns_ = Floats{(rows + 1) * tile.stride};
  }
  float* const ones = turns_.data() + rows * tile.stride;
  std::fill_n(ones, tile.edges, 1.0F);
  cpu::loops().path_products({.rows = ones,
                              .harmonics = tile.harmonics + paths_[path].harmonic_offset * tile.stride,
                              .couplings = turns_of_[path].data(),
                              .coupling_count = static_cast<std::int64_t>(turns_of_[path].size()),
                              .channels = 1,
                              .in_components = 1,
                              .out_components = rows,
                              .edges = tile.edges,
                              .stride = tile.stride},
                             turns_.data());
}

}  // namespace headroom::ops
