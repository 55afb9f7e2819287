#include "base/numerics/ops/equivariant/message.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <vector>

#include "base/numerics/ops/cpu/instruction_level.h"
#include "base/numerics/ops/equivariant/message_tile.h"
#include "base/numerics/ops/equivariant/message_weights.h"

namespace molgauge::ops {
namespace {

/// The messages of paths whose weights are applied to the sources, before the harmonics:
///
///     m[edge, i, w] = sum over p, u of radial[edge, p] W_p[u, w] rows[source, u, i]
///
/// This order costs less if the output of a path has more components than its input, for example vectors from
/// scalars. W is then applied once for each source and input component, and an edge needs only the sums over
/// p. The numbers m of an edge depend only on the row of its source and its radial numbers, bit for bit. The
/// object stores m for each edge.
class SourceMessages {
 public:
  /// `has_numbers`: for each block of the rows, whether it has non-zero numbers. Paths from other blocks are
  /// skipped. The arguments must outlive the object.
  SourceMessages(const MessageArguments& arguments, const SourceWeights& weights,
                 const std::vector<bool>& has_numbers);

  /// For one block of the output, adds the messages of the incoming edges of each node of the tile to `to`
  /// [node, component, width].
  void add_to(std::size_t block, const TileEdges& tile, std::int64_t width, float* to);

 private:
  void order_by_source();
  void apply_weights(std::int64_t first, std::int64_t count);
  /// Sets turns_[i, k, edge] to the sum of value * harmonic j over the couplings (i, j, k) of the path.
  void turn_harmonics(std::size_t path, const TileEdges& tile);
  void multiply_edges(std::int64_t source, const float* weights);

  const MessageArguments& arguments_;
  const SourceWeights& weights_;
  const std::vector<bool>& has_numbers_;
  std::int64_t first_, count_;  ///< index of the first edge, and number of edges, for all nodes together
  /// edges_ contains the edges ordered by source. The edges from node s begin at starts_[s].
  std::vector<std::int64_t> starts_, edges_;
  std::int64_t of_source_;
  Floats of_sources_;  ///< [source, term, width]: products of the weights and the rows of some sources
  Floats messages_;    ///< m [edge, width], padded to whole vectors
  Floats turns_;       ///< result of turn_harmonics() [i, k, edge], and a row of ones
};

/// Number of sources to which weights are applied together.
constexpr std::int64_t kSources = 12;

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

class ForwardTile : public Tile {
 public:
  ForwardTile(const MessageArguments& arguments, const std::vector<Path>& paths, const SummedWeights& weights,
              SourceMessages& from_sources)
      : Tile(arguments, paths, 0), weights_(weights), from_sources_(from_sources) {}

  void compute(const NodeRange& range, float* out) {
    load(range);
    for (std::size_t block = 0; block < arguments_.product.out().blocks().size(); ++block) {
      const IrrepBlock& kind = arguments_.product.out().blocks()[block];
      const std::int64_t width = padded(kind.multiplicity), rows = output_rows(kind.components());
      std::fill_n(outputs_.data(), rows * width, 0.0F);
      for_each_group(paths_, block, [&](const Path& path, std::int64_t first, std::int64_t channels) {
        sum_products(path, first, channels);
        apply_weights(path, first, channels, rows, width);
      });
      from_sources_.add_to(block, {nodes_, harmonics_.data(), edges_, stride_}, width, outputs_.data());
      write(block, out);
    }
  }

 private:
  void apply_weights(const Path& path, std::int64_t first, std::int64_t channels, std::int64_t rows,
                     std::int64_t width) {
    const std::int64_t terms = channels * hidden_, whole = unpaired_channels(path.of->out_channels);
    const float* const weights = weights_.weights.data() + path.packed_weights;
    if (whole > 0) {
      kernels_.strided_product({.a = sums_.data(),
                                .b = weights + first * hidden_ * whole,
                                .c = outputs_.data(),
                                .rows = rows,
                                .terms = terms,
                                .columns = whole,
                                .a_row = terms,
                                .a_term = 1,
                                .b_term = whole,
                                .c_row = width,
                                .add = true});
    }
    if (whole < path.of->out_channels) {
      kernels_.paired_product(
          {.a = sums_.data(),
           .b = weights + (path.of->in_channels * whole + first * cpu::kPairedColumns) * hidden_,
           .c = outputs_.data() + whole,
           .rows = rows,
           .terms = terms,
           .a_row = terms,
           .c_row = width});
    }
    kernels_.strided_product({.a = plain_sums_.data(),
                              .b = weights_.bias.data() + path.packed_bias + first * width,
                              .c = outputs_.data(),
                              .rows = rows,
                              .terms = channels,
                              .columns = path.of->out_channels,
                              .a_row = channels,
                              .a_term = 1,
                              .b_term = width,
                              .c_row = width,
                              .add = true});
  }

  void write(std::size_t block, float* out) const {
    const IrrepBlock& kind = arguments_.product.out().blocks()[block];
    const std::int64_t width = padded(kind.multiplicity);
    const float* from = outputs_.data();
    for (const TileNode& node : nodes_) {
      float* const to =
          out + node.number * arguments_.product.out().width() + arguments_.product.out().offset(block);
      for (std::int64_t k = 0; k < kind.components(); ++k, from += width) {
        for (std::int64_t w = 0; w < kind.multiplicity; ++w) {
          to[w * kind.components() + k] = from[w];
        }
      }
    }
  }

  const SummedWeights& weights_;
  SourceMessages& from_sources_;
};

/// Returns whether each block of the input has a number other than zero in any row. In the first layer of a
/// network with scalar input, most blocks have only zeros.
std::vector<bool> blocks_with_numbers(const MessageArguments& arguments) {
  const Irreps& in = arguments.product.in();
  std::vector<bool> has_numbers(in.blocks().size());
  for (std::size_t block = 0; block < has_numbers.size(); ++block) {
    const std::int64_t width = in.blocks()[block].multiplicity * in.blocks()[block].components();
    for (std::int64_t node = 0; node < arguments.nodes && !has_numbers[block]; ++node) {
      const float* const numbers = arguments.rows + node * in.width() + in.offset(block);
      has_numbers[block] = std::any_of(numbers, numbers + width, [](float number) { return number != 0; });
    }
  }
  return has_numbers;
}

}  // namespace

void equivariant_message(const MessageArguments& arguments, const MessageWeights& weights, float* out) {
  const std::int64_t width = arguments.product.out().width();
  for (std::int64_t node = 0; node < arguments.nodes; ++node) {
    if (arguments.first[node] == arguments.first[node + 1]) {
      std::fill_n(out + node * width, width, 0.0F);
    }
  }
  const std::vector<bool> has_numbers = blocks_with_numbers(arguments);
  std::vector<Path> paths;
  std::copy_if(weights.of_sums.paths.begin(), weights.of_sums.paths.end(), std::back_inserter(paths),
               [&](const Path& path) { return has_numbers[path.of->in]; });
  SourceMessages from_sources(arguments, weights.of_sources, has_numbers);
  ForwardTile tile(arguments, paths, weights.of_sums, from_sources);
  for_each_tile(arguments, [&](const NodeRange& range) { tile.compute(range, out); });
}

void equivariant_message(const MessageArguments& arguments, float* out) {
  equivariant_message(arguments, {arguments.product, arguments.hidden, arguments.weight, arguments.bias},
                      out);
}

Floats equivariant_message(const TensorProduct& product, const Floats& rows, const DirectedEdges& edges,
                           const Floats& harmonics, const Floats& radial, const Floats& weight,
                           const Floats& bias) {
  Floats out{rows.size(0), product.out().width()};
  equivariant_message({.product = product,
                       .nodes = rows.size(0),
                       .hidden = radial.width(),
                       .rows = rows.data(),
                       .harmonics = harmonics.data(),
                       .radial = radial.data(),
                       .weight = weight.data(),
                       .bias = bias.data(),
                       .source = edges.source.data(),
                       .first = edges.first.data()},
                      out.data());
  return out;
}

}  // namespace molgauge::ops
