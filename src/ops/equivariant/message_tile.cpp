#include "ops/equivariant/message_tile.h"

namespace headroom::ops {
namespace {

/// Edges of the largest tile.
std::int64_t most_edges(const MessageArguments& arguments) {
  std::int64_t most = 0;
  for_each_tile(arguments, [&](const NodeRange& range) {
    most = std::max(most, arguments.first[range.last] - arguments.first[range.first]);
  });
  return most;
}

/// In an order that the count alone decides.
float sum_of(const float* numbers, std::int64_t count) {
  constexpr std::int64_t kLanes = 8;
  float lanes[kLanes] = {};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] += numbers[i + lane];
    }
  }
  float sum =
      ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
  for (; i < count; ++i) {
    sum += numbers[i];
  }
  return sum;
}

}  // namespace

WeightsByPath::WeightsByPath(const MessageArguments& from, const std::vector<Path>& paths) {
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

void transpose(const float* rows, std::int64_t count, std::int64_t width, float* columns,
               std::int64_t stride) {
  for (std::int64_t row = 0; row < count; ++row) {
    for (std::int64_t k = 0; k < width; ++k) {
      columns[k * stride + row] = rows[row * width + k];
    }
  }
}

Tile::Tile(const MessageArguments& arguments, const std::vector<Path>& paths)
    : arguments_(arguments),
      paths_(paths),
      kernels_(cpu::kernels()),
      loops_(cpu::loops()),
      weights_(arguments, paths),
      stride_(padded(most_edges(arguments)) + cpu::kProductColumns),
      hidden_(padded(arguments.hidden)),
      rows_(Floats::zeros({arguments.product.in().width(), stride_})),
      harmonics_(Floats::zeros({arguments.product.harmonics().width(), stride_})) {
  if (hidden_ != arguments.hidden) {
    padded_radial_ = Floats::zeros({stride_, hidden_});
  }
  std::int64_t products = 0, out = 0, channels = 0;
  for (const Path& path : paths) {
    const std::int64_t together = channels_together(path.out_components);
    products = std::max(products, path.out_components * together);
    channels = std::max(channels, path.out_components * padded(together));
  }
  for (const IrrepBlock& block : arguments.product.out().blocks()) {
    out = std::max(out, block.components() * padded(block.multiplicity));
  }
  products_ = Floats::zeros({products, stride_});
  sums_ = Floats{kTileNodes * products * hidden_ + cpu::kProductColumns};
  plain_sums_ = Floats::zeros({kTileNodes * channels + cpu::kProductColumns});
  outputs_ = Floats::zeros({kTileNodes * out + cpu::kProductColumns});
}

void Tile::load(const NodeRange& range) {
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
  }
  radial_ = arguments_.radial + first * arguments_.hidden;
  if (hidden_ != arguments_.hidden) {
    for (std::int64_t e = 0; e < edges_; ++e) {
      std::copy_n(radial_ + e * arguments_.hidden, arguments_.hidden, padded_radial_.data() + e * hidden_);
    }
    radial_ = padded_radial_.data();
  }
  const std::int64_t harmonics = arguments_.product.harmonics().width();
  transpose(arguments_.harmonics + first * harmonics, edges_, harmonics, harmonics_.data(), stride_);
}

PathProducts Tile::products_of(const Path& path, std::int64_t first_channel, std::int64_t channels) const {
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

void Tile::sum_products(const Path& path, std::int64_t first_channel, std::int64_t channels) {
  const std::int64_t rows = path.out_components * channels;
  loops_.path_products(products_of(path, first_channel, channels), products_.data());
  float* sums = sums_.data();
  float* plain = plain_sums_.data();
  for (const Node& node : nodes_) {
    const float* const own = products_.data() + node.first_edge;
    kernels_.strided_product({.a = own,
                              .b = radial_ + node.first_edge * hidden_,
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
        plain[u] = sum_of(row, node.edges);
      }
    }
  }
}

}  // namespace headroom::ops
