#include <algorithm>
#include <utility>
#include <vector>

#include "base/numerics/ops/equivariant/message.h"
#include "base/numerics/ops/equivariant/message_tile.h"

namespace molgauge::ops {
namespace {

/// Padding between rows. Without this padding, the rows of one channel would map to only a few sets of the
/// cache.
constexpr std::int64_t kGap = cpu::kProductColumns;

/// The edges of a node are multiplied in vectors of kProductColumns edges. If at most this number of edges
/// remain after the last whole vector, they are multiplied one by one. Otherwise they are multiplied as
/// another vector.
constexpr std::int64_t kFewEdges = 6;

class BackwardTile : public Tile {
 public:
  BackwardTile(const MessageArguments& arguments, const std::vector<Path>& paths, const MessageGradients& to)
      : Tile(arguments, paths, kGap),
        to_(to),
        columns_(Floats::zeros({hidden_, stride_})),
        of_rows_(Floats{rows_.shape()}),
        of_harmonics_(Floats{harmonics_.shape()}),
        of_radial_(Floats{stride_, hidden_}),
        of_products_(Floats::zeros(products_.shape())),
        of_plain_rows_(Floats{plain_sums_.shape()}),
        of_plain_sums_(Floats{plain_sums_.shape()}),
        of_bias_(Floats::zeros({bias_count(paths)})) {
    const std::int64_t weights = arguments.product.weights();
    natural_ = Floats::zeros({weights, hidden_});
    of_weights_ = Floats::zeros({weights, hidden_});
    for (std::int64_t row = 0; row < weights; ++row) {
      std::copy_n(arguments.weight + row * arguments.hidden, arguments.hidden,
                  natural_.data() + row * hidden_);
    }
    std::int64_t count = 0;
    for (const Path& path : paths) {
      bias_columns_.push_back(count);
      count += path.of->out_channels * row_of_bias(path);
    }
    bias_by_output_ = Floats::zeros({count});
    for (std::size_t i = 0; i < paths.size(); ++i) {
      loops_.transpose({.count = paths[i].of->in_channels,
                        .width = paths[i].of->out_channels,
                        .from = arguments.bias + paths[i].of->first_weight,
                        .from_row = paths[i].of->out_channels,
                        .to = bias_by_output_.data() + bias_columns_[i],
                        .to_row = row_of_bias(paths[i])});
    }
  }

  void compute(const NodeRange& range, const float* gradient) {
    load(range);
    loops_.transpose({.count = edges_,
                      .width = hidden_,
                      .from = radial_,
                      .from_row = hidden_,
                      .to = columns_.data(),
                      .to_row = stride_});
    std::fill_n(of_rows_.data(), of_rows_.count(), 0.0F);
    std::fill_n(of_harmonics_.data(), of_harmonics_.count(), 0.0F);
    std::fill_n(of_radial_.data(), edges_ * hidden_, 0.0F);
    for (std::size_t block = 0; block < arguments_.product.out().blocks().size(); ++block) {
      read(block, gradient);
      for_each_group(paths_, block, [&](const Path& path, std::int64_t first, std::int64_t channels) {
        sum_products(path, first, channels);
        add_to_weights(path, first, channels);
        differentiate_sums(path, first, channels);
        differentiate_products(path, channels);
        loops_.path_products_backward(
            products_of(path, first, channels), of_products_.data(),
            of_rows_.data() + (path.in_offset + first * path.in_components) * stride_,
            of_harmonics_.data() + path.harmonic_offset * stride_);
      });
    }
    add_to_edges();
  }

  /// Adds the weight gradients of all tiles to the result.
  void finish() const {
    for (std::int64_t row = 0; row < arguments_.product.weights(); ++row) {
      for (std::int64_t p = 0; p < arguments_.hidden; ++p) {
        to_.weight[row * arguments_.hidden + p] += of_weights_.data()[row * hidden_ + p];
      }
    }
    for (const Path& path : paths_) {
      const std::int64_t width = padded(path.of->out_channels);
      for (std::int64_t u = 0; u < path.of->in_channels; ++u) {
        for (std::int64_t w = 0; w < path.of->out_channels; ++w) {
          to_.bias[path.of->first_weight + u * path.of->out_channels + w] +=
              of_bias_.data()[path.packed_bias + u * width + w];
        }
      }
    }
  }

 private:
  /// Distance between the biases of two consecutive output channels of a path. It includes padding, so that
  /// any group of input channels can be read in whole vectors.
  static std::int64_t row_of_bias(const Path& path) {
    return padded(path.of->in_channels) + cpu::kProductColumns;
  }

  static std::int64_t bias_count(const std::vector<Path>& paths) {
    std::int64_t count = 0;
    for (const Path& path : paths) {
      count += path.of->in_channels * padded(path.of->out_channels);
    }
    return count;
  }

  void read(std::size_t block, const float* gradient) {
    const IrrepBlock& kind = arguments_.product.out().blocks()[block];
    const std::int64_t width = padded(kind.multiplicity);
    float* to = outputs_.data();
    for (const TileNode& node : nodes_) {
      const float* const from =
          gradient + node.number * arguments_.product.out().width() + arguments_.product.out().offset(block);
      for (std::int64_t k = 0; k < kind.components(); ++k, to += width) {
        std::fill_n(to, width, 0.0F);
        for (std::int64_t w = 0; w < kind.multiplicity; ++w) {
          to[w] = from[w * kind.components() + k];
        }
      }
    }
  }

  /// Computes the gradients of the weights and the biases of these channels from the sums.
  void add_to_weights(const Path& path, std::int64_t first, std::int64_t channels) {
    const std::int64_t width = padded(path.of->out_channels), rows = output_rows(path.out_components);
    for (std::int64_t u = 0; u < channels; ++u) {
      const std::int64_t weight = path.of->first_weight + (first + u) * path.of->out_channels;
      kernels_.strided_product({.a = outputs_.data(),
                                .b = sums_.data() + u * sums_row_,
                                .c = of_weights_.data() + weight * hidden_,
                                .rows = path.of->out_channels,
                                .terms = rows,
                                .columns = hidden_,
                                .a_row = 1,
                                .a_term = width,
                                .b_term = channels * sums_row_,
                                .c_row = hidden_,
                                .add = true});
    }
    kernels_.strided_product({.a = plain_sums_.data(),
                              .b = outputs_.data(),
                              .c = of_bias_.data() + path.packed_bias + first * width,
                              .rows = channels,
                              .terms = rows,
                              .columns = path.of->out_channels,
                              .a_row = 1,
                              .a_term = channels,
                              .b_term = width,
                              .c_row = width,
                              .add = true});
  }

  /// Replaces the numbers in sums_ by the gradients of the sums. Writes the gradients of plain_sums_ to
  /// of_plain_sums_.
  void differentiate_sums(const Path& path, std::int64_t first, std::int64_t channels) {
    const std::int64_t width = padded(path.of->out_channels), rows = output_rows(path.out_components);
    for (std::int64_t u = 0; u < channels; ++u) {
      const std::int64_t weight = path.of->first_weight + (first + u) * path.of->out_channels;
      kernels_.strided_product({.a = outputs_.data(),
                                .b = natural_.data() + weight * hidden_,
                                .c = sums_.data() + u * sums_row_,
                                .rows = rows,
                                .terms = path.of->out_channels,
                                .columns = hidden_,
                                .a_row = width,
                                .a_term = 1,
                                .b_term = hidden_,
                                .c_row = channels * sums_row_});
    }
    const auto place = static_cast<std::size_t>(&path - paths_.data());
    kernels_.strided_product({.a = outputs_.data(),
                              .b = bias_by_output_.data() + bias_columns_[place] + first,
                              .c = of_plain_rows_.data(),
                              .rows = rows,
                              .terms = path.of->out_channels,
                              .columns = channels,
                              .a_row = width,
                              .a_term = 1,
                              .b_term = row_of_bias(path),
                              .c_row = cpu::kProductColumns});
    loops_.copy_rows({.count = rows,
                      .width = channels,
                      .from = of_plain_rows_.data(),
                      .from_row = cpu::kProductColumns,
                      .to = of_plain_sums_.data(),
                      .to_row = channels});
  }

  /// Computes the gradients of the radial numbers and of the products from the gradients of the sums.
  void differentiate_products(const Path& path, std::int64_t channels) {
    const std::int64_t rows = path.out_components * channels;
    const float* of_sums = sums_.data();
    const float* of_plain = of_plain_sums_.data();
    for (const TileNode& node : nodes_) {  // in ascending order, because the last vector of a node overwrites
                                           // numbers of the next node
      kernels_.strided_product({.a = products_.data() + node.first_edge,
                                .b = of_sums,
                                .c = of_radial_.data() + node.first_edge * hidden_,
                                .rows = node.edges,
                                .terms = rows,
                                .columns = hidden_,
                                .a_row = 1,
                                .a_term = stride_,
                                .b_term = sums_row_,
                                .c_row = hidden_,
                                .add = true});
      // The last edges of a node may fill only a small part of a vector.
      const std::int64_t left = node.edges % cpu::kProductColumns, few = left <= kFewEdges ? left : 0,
                         most = node.edges - few;
      float* const of_products = of_products_.data() + node.first_edge;
      if (most > 0) {
        kernels_.strided_product({.a = of_sums,
                                  .b = columns_.data() + node.first_edge,
                                  .c = of_products,
                                  .rows = rows,
                                  .terms = arguments_.hidden,
                                  .columns = most,
                                  .a_row = sums_row_,
                                  .a_term = 1,
                                  .b_term = stride_,
                                  .c_row = stride_,
                                  .row_start = of_plain});
      }
      kernels_.rows_product({.a = of_sums,
                             .b = radial_ + (node.first_edge + most) * hidden_,
                             .c = of_products + most,
                             .rows = rows,
                             .columns = few,
                             .terms = hidden_,
                             .a_row = sums_row_,
                             .b_row = hidden_,
                             .c_row = stride_,
                             .row_start = of_plain});
      of_sums += rows * sums_row_;
      of_plain += rows;
    }
  }

  void add_to_edges() const {
    const std::int64_t width = arguments_.product.in().width();
    const std::int64_t harmonics = arguments_.product.harmonics().width();
    for (std::int64_t e = 0; e < edges_; ++e) {
      const std::int64_t edge = first_edge_ + e;
      float* const row = to_.rows + arguments_.source[edge] * width;
      for (std::int64_t k = 0; k < width; ++k) {
        row[k] += of_rows_.data()[k * stride_ + e];
      }
      for (std::int64_t p = 0; p < arguments_.hidden; ++p) {
        to_.radial[edge * arguments_.hidden + p] += of_radial_.data()[e * hidden_ + p];
      }
      for (std::int64_t j = 0; to_.harmonics != nullptr && j < harmonics; ++j) {
        to_.harmonics[edge * harmonics + j] += of_harmonics_.data()[j * stride_ + e];
      }
    }
  }

  MessageGradients to_;
  Floats columns_;  ///< the radial numbers, [hidden, edge]
  Floats of_rows_, of_harmonics_, of_radial_, of_products_;
  Floats of_plain_rows_, of_plain_sums_;  ///< gradients of plain_sums_, with and without padding of rows
  /// The weights and their gradients, [weights, hidden]. Rows are padded with zeros to whole vectors.
  Floats natural_, of_weights_;
  Floats bias_by_output_;  ///< biases of each path, [output, channel]
  std::vector<std::int64_t> bias_columns_;
  Floats of_bias_;
};

}  // namespace

void equivariant_message_backward(const MessageArguments& arguments, const float* gradient,
                                  const MessageGradients& to) {
  const std::vector<Path> paths =
      describe_paths(arguments.product, arguments.hidden, [](const ProductPath&) { return true; });
  BackwardTile tile(arguments, paths, to);
  for_each_tile(arguments, [&](const NodeRange& range) { tile.compute(range, gradient); });
  tile.finish();
}

}  // namespace molgauge::ops
