#include "base/numerics/ops/equivariant/message_tile.h"

namespace molgauge::ops {
namespace {

/// Number of edges in the largest tile.
std::int64_t most_edges(const MessageArguments& arguments) {
  std::int64_t most = 0;
  for_each_tile(arguments, [&](const NodeRange& range) {
    most = std::max(most, arguments.first[range.last] - arguments.first[range.first]);
  });
  return most;
}

}  // namespace

Tile::Tile(const MessageArguments& arguments, const std::vector<Path>& paths, std::int64_t gap)
    : arguments_(arguments),
      paths_(paths),
      kernels_(cpu::kernels()),
      loops_(cpu::loops()),
      stride_(padded(most_edges(arguments)) + cpu::kProductColumns),
      hidden_(padded(arguments.hidden)),
      sums_row_(hidden_ + gap),
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
  sums_ = Floats{kTileNodes * products * sums_row_ + cpu::kProductColumns};
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
  loops_.transpose({.count = edges_,
                    .width = width,
                    .from = arguments_.rows,
                    .from_row = width,
                    .to = rows_.data(),
                    .to_row = stride_,
                    .from_numbers = arguments_.source + first});
  radial_ = arguments_.radial + first * arguments_.hidden;
  if (hidden_ != arguments_.hidden) {
    loops_.copy_rows({.count = edges_,
                      .width = arguments_.hidden,
                      .from = radial_,
                      .from_row = arguments_.hidden,
                      .to = padded_radial_.data(),
                      .to_row = hidden_});
    radial_ = padded_radial_.data();
  }
  const std::int64_t harmonics = arguments_.product.harmonics().width();
  loops_.transpose({.count = edges_,
                    .width = harmonics,
                    .from = arguments_.harmonics + first * harmonics,
                    .from_row = harmonics,
                    .to = harmonics_.data(),
                    .to_row = stride_});
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
  for (const TileNode& node : nodes_) {
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
                              .c_row = sums_row_});
    sums += rows * sums_row_;
    loops_.sum_runs({.numbers = own, .rows = rows, .count = node.edges, .stride = stride_}, plain);
    plain += rows;
  }
}

}  // namespace molgauge::ops
