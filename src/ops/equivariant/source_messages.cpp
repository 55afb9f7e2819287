#include "ops/equivariant/source_messages.h"

#include <algorithm>

#include "ops/cpu/instruction_level.h"

namespace headroom::ops {
namespace {

/// Sources whose weights are applied together, and edges of a source that are multiplied together.
constexpr std::int64_t kSources = 12, kEdges = 48;

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
  of_sources_ = Floats::zeros({kSources, terms_, width_});
  radial_ = Floats{kEdges, arguments.hidden};
  made_ = Floats{kEdges, width_};
  messages_ = Floats{count_ * width_ + cpu::kProductColumns};
  std::fill_n(messages_.data() + count_ * width_, cpu::kProductColumns, 0.0F);
  std::int64_t most_edges = 0;
  for (std::int64_t node = 0; node < arguments.nodes; ++node) {
    most_edges = std::max(most_edges, arguments.first[node + 1] - arguments.first[node]);
  }
  std::int64_t turn = 0;
  for (const Path& path : paths_) {
    turn = std::max(turn, path.in_components * path.out_components);
  }
  turns_ = Floats{most_edges * turn};
  for (std::int64_t first = 0; first < arguments.nodes; first += kSources) {
    const std::int64_t count = std::min(kSources, arguments.nodes - first);
    apply_weights(first, count);
    for (std::int64_t i = 0; i < count; ++i) {
      multiply_edges(first + i, of_sources_.data() + i * terms_ * width_);
    }
  }
}

void SourceMessages::pack() {
  std::int64_t weights = 0, numbers = 0, most = 0;
  for (const Path& path : paths_) {
    places_.push_back(numbers);
    packed_.push_back(weights);
    numbers += path.in_components * path.of->out_channels;
    const std::int64_t columns = padded(terms_ * path.of->out_channels);
    weights += path.of->in_channels * columns;
    most = std::max(most, columns);
  }
  width_ = padded(numbers);
  weights_ = Floats::zeros({weights});
  applied_ = Floats{kSources, most};
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const ProductPath& path = *paths_[i].of;
    const std::int64_t columns = padded(terms_ * path.out_channels);
    for (std::int64_t u = 0; u < path.in_channels; ++u) {
      float* const to = weights_.data() + packed_[i] + u * columns;
      for (std::int64_t w = 0; w < path.out_channels; ++w) {
        const std::int64_t row = path.first_weight + u * path.out_channels + w;
        for (std::int64_t p = 0; p < arguments_.hidden; ++p) {
          to[p * path.out_channels + w] = arguments_.weight[row * arguments_.hidden + p];
        }
        to[arguments_.hidden * path.out_channels + w] = arguments_.bias[row];
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
    const std::int64_t channels = path.of->out_channels, columns = padded(terms_ * channels);
    for (std::int64_t component = 0; component < path.in_components; ++component) {
      cpu::kernels().strided_product({.a = arguments_.rows + first * row + path.in_offset + component,
                                      .b = weights_.data() + packed_[i],
                                      .c = applied_.data(),
                                      .rows = count,
                                      .terms = path.of->in_channels,
                                      .columns = columns,
                                      .a_row = row,
                                      .a_term = path.in_components,
                                      .b_term = columns,
                                      .c_row = columns});
      for (std::int64_t source = 0; source < count; ++source) {
        cpu::loops().copy_rows(
            {.count = terms_,
             .width = channels,
             .from = applied_.data() + source * columns,
             .from_row = channels,
             .to = of_sources_.data() + source * terms_ * width_ + places_[i] + component * channels,
             .to_row = width_});
      }
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

void SourceMessages::add_to(std::size_t block, std::int64_t node, std::int64_t width, float* to) {
  const std::int64_t first = arguments_.first[node], edges = arguments_.first[node + 1] - first;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const Path& path = paths_[i];
    if (path.of->out != block) {
      continue;
    }
    const std::int64_t channels = path.of->out_channels;
    turn_harmonics(path, first, edges);
    for (std::int64_t component = 0; component < path.in_components; ++component) {
      cpu::kernels().strided_product(
          {.a = turns_.data() + component * path.out_components,
           .b = messages_.data() + (first - first_) * width_ + places_[i] + component * channels,
           .c = to,
           .rows = path.out_components,
           .terms = edges,
           .columns = channels,
           .a_row = 1,
           .a_term = path.in_components * path.out_components,
           .b_term = width_,
           .c_row = width,
           .add = true});
    }
  }
}

void SourceMessages::turn_harmonics(const Path& path, std::int64_t first, std::int64_t edges) {
  const std::int64_t harmonics = arguments_.product.harmonics().width();
  const std::int64_t numbers = path.in_components * path.out_components;
  std::fill_n(turns_.data(), edges * numbers, 0.0F);
  for (std::int64_t e = 0; e < edges; ++e) {
    const float* const harmonic = arguments_.harmonics + (first + e) * harmonics + path.harmonic_offset;
    float* const turn = turns_.data() + e * numbers;
    for (const ScaledCoupling& coupling : path.couplings) {
      turn[coupling.first * path.out_components + coupling.third] +=
          coupling.value * harmonic[coupling.second];
    }
  }
}

}  // namespace headroom::ops
