#include "ops/equivariant/message.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "ops/cpu/instruction_level.h"

namespace headroom::ops {
namespace {

/// Nodes and edges of a tile, unless one node has more edges: what is kept of a tile then stays in a cache of
/// 1 MiB.
constexpr std::int64_t kTileNodes = 32, kTileEdges = 512;

std::int64_t padded(std::int64_t columns) {
  return (columns + cpu::kProductColumns - 1) / cpu::kProductColumns * cpu::kProductColumns;
}

/// Channels of a path that are taken together: the rows of their products fill tiles of the matrix product.
std::int64_t channels_together(std::int64_t components) { return components == 1 ? 16 : 8; }

struct Path {
  const ProductPath* of;
  std::int64_t in_offset, in_components, out_components, harmonic_offset;
  std::vector<ScaledCoupling> couplings;
  std::int64_t packed_weights, packed_bias;  ///< where those of the path begin in WeightsByPath
};

std::vector<Path> describe_paths(const TensorProduct& product, std::int64_t hidden) {
  std::vector<Path> paths;
  std::int64_t weights = 0, bias = 0;
  for (const ProductPath& path : product.paths()) {
    paths.push_back({.of = &path,
                     .in_offset = product.in().offset(path.in),
                     .in_components = product.in().blocks()[path.in].components(),
                     .out_components = product.out().blocks()[path.out].components(),
                     .harmonic_offset = product.harmonics().offset(path.harmonic),
                     .couplings = {},
                     .packed_weights = weights,
                     .packed_bias = bias});
    for (const Coupling& coupling : path.couplings) {
      paths.back().couplings.push_back(
          {coupling.first, coupling.second, coupling.third, static_cast<float>(path.scale * coupling.value)});
    }
    weights += path.in_channels * padded(hidden) * padded(path.out_channels);
    bias += path.in_channels * padded(path.out_channels);
  }
  return paths;
}

/// The weights as the products over nodes read them: [channel, hidden, output] of each path, and the bias
/// [channel, output], with zeros up to whole vectors.
struct WeightsByPath {
  Floats weights, bias;

  WeightsByPath(const MessageArguments& from, const std::vector<Path>& paths) {
    std::int64_t weight_count = 0, bias_count = 0;
    for (const Path& path : paths) {
      const std::int64_t width = padded(path.of->out_channels);
      weight_count += path.of->in_channels * padded(from.hidden) * width;
      bias_count += path.of->in_channels * width;
    }
    weights = Floats::zeros({weight_count});
    bias = Floats::zeros({bias_count});
    for (const Path& path : paths) {
      const std::int64_t width = padded(path.of->out_channels);
      for (std::int64_t u = 0; u < path.of->in_channels; ++u) {
        float* const block = weights.data() + path.packed_weights + u * padded(from.hidden) * width;
        const std::int64_t first = path.of->first_weight + u * path.of->out_channels;
        for (std::int64_t p = 0; p < from.hidden; ++p) {
          for (std::int64_t w = 0; w < path.of->out_channels; ++w) {
            block[p * width + w] = from.weight[(first + w) * from.hidden + p];
          }
        }
        std::copy_n(from.bias + first, path.of->out_channels, bias.data() + path.packed_bias + u * width);
      }
    }
  }
};

/// Rows [count, width] become columns [width, stride].
void transpose(const float* rows, std::int64_t count, std::int64_t width, float* columns,
               std::int64_t stride) {
  for (std::int64_t row = 0; row < count; ++row) {
    for (std::int64_t k = 0; k < width; ++k) {
      columns[k * stride + row] = rows[row * width + k];
    }
  }
}

/// Nodes first to last - 1, with their edges.
struct NodeRange {
  std::int64_t first, last;
};

/// Calls work(range) for tiles of all nodes.
template <typename Work>
void for_each_tile(const MessageArguments& arguments, const Work& work) {
  for (std::int64_t first = 0; first < arguments.nodes;) {
    std::int64_t last = first + 1;
    while (last < arguments.nodes && last - first < kTileNodes &&
           arguments.first[last + 1] - arguments.first[first] <= kTileEdges) {
      ++last;
    }
    work(NodeRange{first, last});
    first = last;
  }
}

/// Edges of the largest tile.
std::int64_t most_edges(const MessageArguments& arguments) {
  std::int64_t most = 0;
  for_each_tile(arguments, [&](const NodeRange& range) {
    most = std::max(most, arguments.first[range.last] - arguments.first[range.first]);
  });
  return most;
}

/// The numbers of a tile. Those of edges lie in columns, `stride_` apart from row to row.
class Tile {
 public:
  Tile(const MessageArguments& arguments, const std::vector<Path>& paths)
      : arguments_(arguments),
        paths_(paths),
        kernels_(cpu::kernels()),
        loops_(cpu::loops()),
        weights_(arguments, paths),
        stride_(padded(most_edges(arguments)) + cpu::kProductColumns),
        hidden_(padded(arguments.hidden)),
        rows_(Floats::zeros({arguments.product.in().width(), stride_})),
        harmonics_(Floats::zeros({arguments.product.harmonics().width(), stride_})),
        radial_(Floats::zeros({stride_, hidden_})) {
    std::int64_t products = 0, out = 0, channels = 0;
    for (const Path& path : paths) {
      const std::int64_t together = channels_together(path.out_components);
      products = std::max(products, path.out_components * together);
      out = std::max(out, path.out_components * padded(path.of->out_channels));
      channels = std::max(channels, path.out_components * padded(together));
    }
    products_ = Floats::zeros({products, stride_});
    sums_ = Floats{kTileNodes * products * hidden_ + cpu::kProductColumns};
    plain_sums_ = Floats::zeros({kTileNodes * channels + cpu::kProductColumns});
    outputs_ = Floats::zeros({kTileNodes * out + cpu::kProductColumns});
  }

 protected:
  /// Reads what the edges of these nodes have.
  void load(const NodeRange& range) {
    const std::int64_t width = arguments_.product.in().width(), first = arguments_.first[range.first];
    edges_ = arguments_.first[range.last] - first;
    nodes_.clear();
    for (std::int64_t node = range.first; node < range.last; ++node) {
      const std::int64_t begin = arguments_.first[node], end = arguments_.first[node + 1];
      if (end > begin) {
        nodes_.push_back({node, begin - first, end - begin});
      }
    }
    first_edge_ = first;
    for (std::int64_t e = 0; e < edges_; ++e) {
      const float* const row = arguments_.rows + arguments_.source[first + e] * width;
      for (std::int64_t k = 0; k < width; ++k) {
        rows_.data()[k * stride_ + e] = row[k];
      }
      std::copy_n(arguments_.radial + (first + e) * arguments_.hidden, arguments_.hidden,
                  radial_.data() + e * hidden_);
    }
    const std::int64_t harmonics = arguments_.product.harmonics().width();
    transpose(arguments_.harmonics + first * harmonics, edges_, harmonics, harmonics_.data(), stride_);
  }

  /// The rows of the nodes' outputs: one for each node and component.
  std::int64_t output_rows(std::int64_t components) const {
    return static_cast<std::int64_t>(nodes_.size()) * components;
  }

  PathProducts products_of(const Path& path, std::int64_t first_channel, std::int64_t channels) const {
    return {.rows = rows_.data() + (path.in_offset + first_channel * path.in_components) * stride_,
            .harmonics = harmonics_.data() + path.harmonic_offset * stride_,
            .couplings = path.couplings.data(),
            .coupling_count = static_cast<std::int64_t>(path.couplings.size()),
            .channels = channels,
            .in_components = path.in_components,
            .out_components = path.out_components,
            .edges = edges_,
            .stride = stride_};
  }

  /// Makes sums_ [node, component, channel, hidden] of these channels, and plain_sums_ [node, component,
  /// channel], those without a radial number.
  void sum_products(const Path& path, std::int64_t first_channel, std::int64_t channels) {
    const std::int64_t rows = path.out_components * channels;
    loops_.path_products(products_of(path, first_channel, channels), products_.data());
    float* sums = sums_.data();
    float* plain = plain_sums_.data();
    for (const Node& node : nodes_) {
      const float* const own = products_.data() + node.first_edge;
      kernels_.strided_product({.a = own,
                                .b = radial_.data() + node.first_edge * hidden_,
                                .c = sums,
                                .rows = rows,
                                .terms = node.edges,
                                .columns = hidden_,
                                .a_row = stride_,
                                .a_term = 1,
                                .b_term = hidden_,
                                .c_row = hidden_});
      sums += rows * hidden_;
      for (std::int64_t k = 0; k < path.out_components; ++k, plain += cpu::kProductColumns) {
        for (std::int64_t u = 0; u < channels; ++u) {
          const float* const row = own + (k * channels + u) * stride_;
          float sum = 0;
          for (std::int64_t e = 0; e < node.edges; ++e) {
            sum += row[e];
          }
          plain[u] = sum;
        }
      }
    }
  }

  struct Node {
    std::int64_t number, first_edge, edges;  ///< edges are counted from the tile's first
  };

  const MessageArguments& arguments_;
  const std::vector<Path>& paths_;
  const cpu::Kernels& kernels_;
  const cpu::Loops& loops_;
  const WeightsByPath weights_;
  std::int64_t stride_, hidden_, edges_ = 0, first_edge_ = 0;
  std::vector<Node> nodes_;  ///< those with edges
  Floats rows_, harmonics_, radial_;
  Floats products_, sums_, plain_sums_;
  Floats outputs_;  ///< [node, component, channel] of a block, or the gradients in them
};

/// Calls work(path, first channel, channels) for all paths to a block of the output.
template <typename Work>
void for_each_group(const std::vector<Path>& paths, std::size_t block, const Work& work) {
  for (const Path& path : paths) {
    if (path.of->out != block) {
      continue;
    }
    const std::int64_t together = channels_together(path.out_components);
    for (std::int64_t u = 0; u < path.of->in_channels; u += together) {
      work(path, u, std::min(together, path.of->in_channels - u));
    }
  }
}

class ForwardTile : public Tile {
 public:
  using Tile::Tile;

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
      write(block, out);
    }
  }

 private:
  void apply_weights(const Path& path, std::int64_t first, std::int64_t channels, std::int64_t rows,
                     std::int64_t width) {
    kernels_.strided_product({.a = sums_.data(),
                              .b = weights_.weights.data() + path.packed_weights + first * hidden_ * width,
                              .c = outputs_.data(),
                              .rows = rows,
                              .terms = channels * hidden_,
                              .columns = path.of->out_channels,
                              .a_row = channels * hidden_,
                              .a_term = 1,
                              .b_term = width,
                              .c_row = width,
                              .add = true});
    kernels_.strided_product({.a = plain_sums_.data(),
                              .b = weights_.bias.data() + path.packed_bias + first * width,
                              .c = outputs_.data(),
                              .rows = rows,
                              .terms = channels,
                              .columns = path.of->out_channels,
                              .a_row = cpu::kProductColumns,
                              .a_term = 1,
                              .b_term = width,
                              .c_row = width,
                              .add = true});
  }

  void write(std::size_t block, float* out) const {
    const IrrepBlock& kind = arguments_.product.out().blocks()[block];
    const std::int64_t width = padded(kind.multiplicity);
    const float* from = outputs_.data();
    for (const Node& node : nodes_) {
      float* const to =
          out + node.number * arguments_.product.out().width() + arguments_.product.out().offset(block);
      for (std::int64_t k = 0; k < kind.components(); ++k, from += width) {
        for (std::int64_t w = 0; w < kind.multiplicity; ++w) {
          to[w * kind.components() + k] = from[w];
        }
      }
    }
  }
};

class BackwardTile : public Tile {
 public:
  BackwardTile(const MessageArguments& arguments, const std::vector<Path>& paths, const MessageGradients& to)
      : Tile(arguments, paths),
        to_(to),
        columns_(Floats::zeros({hidden_, stride_})),
        of_rows_(Floats{rows_.shape()}),
        of_harmonics_(Floats{harmonics_.shape()}),
        of_radial_(Floats{radial_.shape()}),
        of_products_(Floats::zeros(products_.shape())),
        of_plain_sums_(Floats::zeros(plain_sums_.shape())),
        of_bias_(Floats::zeros(weights_.bias.shape())) {
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
      transpose(arguments.bias + paths[i].of->first_weight, paths[i].of->in_channels,
                paths[i].of->out_channels, bias_by_output_.data() + bias_columns_[i], row_of_bias(paths[i]));
    }
  }

  void compute(const NodeRange& range, const float* gradient) {
    load(range);
    transpose(radial_.data(), edges_, hidden_, columns_.data(), stride_);
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

  /// Adds what all tiles gave the weights.
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
  /// Numbers from one output of a path's bias to the next: a group of channels may be read in whole vectors.
  static std::int64_t row_of_bias(const Path& path) {
    return padded(path.of->in_channels) + cpu::kProductColumns;
  }

  void read(std::size_t block, const float* gradient) {
    const IrrepBlock& kind = arguments_.product.out().blocks()[block];
    const std::int64_t width = padded(kind.multiplicity);
    float* to = outputs_.data();
    for (const Node& node : nodes_) {
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

  /// The gradients in the weights and the bias of these channels, from the sums.
  void add_to_weights(const Path& path, std::int64_t first, std::int64_t channels) {
    const std::int64_t width = padded(path.of->out_channels), rows = output_rows(path.out_components);
    for (std::int64_t u = 0; u < channels; ++u) {
      const std::int64_t weight = path.of->first_weight + (first + u) * path.of->out_channels;
      kernels_.strided_product({.a = outputs_.data(),
                                .b = sums_.data() + u * hidden_,
                                .c = of_weights_.data() + weight * hidden_,
                                .rows = path.of->out_channels,
                                .terms = rows,
                                .columns = hidden_,
                                .a_row = 1,
                                .a_term = width,
                                .b_term = channels * hidden_,
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
                              .a_term = cpu::kProductColumns,
                              .b_term = width,
                              .c_row = width,
                              .add = true});
  }

  /// sums_ and of_plain_sums_ become the gradients in the sums.
  void differentiate_sums(const Path& path, std::int64_t first, std::int64_t channels) {
    const std::int64_t width = padded(path.of->out_channels), rows = output_rows(path.out_components);
    for (std::int64_t u = 0; u < channels; ++u) {
      const std::int64_t weight = path.of->first_weight + (first + u) * path.of->out_channels;
      kernels_.strided_product({.a = outputs_.data(),
                                .b = natural_.data() + weight * hidden_,
                                .c = sums_.data() + u * hidden_,
                                .rows = rows,
                                .terms = path.of->out_channels,
                                .columns = hidden_,
                                .a_row = width,
                                .a_term = 1,
                                .b_term = hidden_,
                                .c_row = channels * hidden_});
    }
    const auto place = static_cast<std::size_t>(&path - paths_.data());
    kernels_.strided_product({.a = outputs_.data(),
                              .b = bias_by_output_.data() + bias_columns_[place] + first,
                              .c = of_plain_sums_.data(),
                              .rows = rows,
                              .terms = path.of->out_channels,
                              .columns = channels,
                              .a_row = width,
                              .a_term = 1,
                              .b_term = row_of_bias(path),
                              .c_row = cpu::kProductColumns});
  }

  /// The gradients in the radial numbers and in the products, from those in the sums.
  void differentiate_products(const Path& path, std::int64_t channels) {
    const std::int64_t rows = path.out_components * channels;
    const float* of_sums = sums_.data();
    const float* of_plain = of_plain_sums_.data();
    for (const Node& node : nodes_) {  // in this order: vectors reach beyond a node's edges
      kernels_.strided_product({.a = products_.data() + node.first_edge,
                                .b = of_sums,
                                .c = of_radial_.data() + node.first_edge * hidden_,
                                .rows = node.edges,
                                .terms = rows,
                                .columns = hidden_,
                                .a_row = 1,
                                .a_term = stride_,
                                .b_term = hidden_,
                                .c_row = hidden_,
                                .add = true});
      kernels_.strided_product({.a = of_sums,
                                .b = columns_.data() + node.first_edge,
                                .c = of_products_.data() + node.first_edge,
                                .rows = rows,
                                .terms = arguments_.hidden,
                                .columns = node.edges,
                                .a_row = hidden_,
                                .a_term = 1,
                                .b_term = stride_,
                                .c_row = stride_});
      of_sums += rows * hidden_;
      for (std::int64_t k = 0; k < path.out_components; ++k, of_plain += cpu::kProductColumns) {
        for (std::int64_t u = 0; u < channels; ++u) {
          float* const row = of_products_.data() + (k * channels + u) * stride_ + node.first_edge;
          for (std::int64_t e = 0; e < node.edges; ++e) {
            row[e] += of_plain[u];
          }
        }
      }
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
  Floats columns_;  ///< the radial numbers [hidden, edge]
  Floats of_rows_, of_harmonics_, of_radial_, of_products_, of_plain_sums_;
  Floats natural_, of_weights_;  ///< [weights, hidden] with zeros up to whole vectors
  Floats bias_by_output_;        ///< [output, channel] of each path
  std::vector<std::int64_t> bias_columns_;
  Floats of_bias_;
};

}  // namespace

void equivariant_message(const MessageArguments& arguments, float* out) {
  std::fill_n(out, arguments.nodes * arguments.product.out().width(), 0.0F);
  const std::vector<Path> paths = describe_paths(arguments.product, arguments.hidden);
  ForwardTile tile(arguments, paths);
  for_each_tile(arguments, [&](const NodeRange& range) { tile.compute(range, out); });
}

void equivariant_message_backward(const MessageArguments& arguments, const float* gradient,
                                  const MessageGradients& to) {
  const std::vector<Path> paths = describe_paths(arguments.product, arguments.hidden);
  BackwardTile tile(arguments, paths, to);
  for_each_tile(arguments, [&](const NodeRange& range) { tile.compute(range, gradient); });
  tile.finish();
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

}  // namespace headroom::ops
