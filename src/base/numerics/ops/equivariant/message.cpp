#include "base/numerics/ops/equivariant/message.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/numerics/ops/equivariant/message_tile.h"
#include "base/numerics/ops/equivariant/source_messages.h"

namespace molgauge::ops {
namespace {

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
