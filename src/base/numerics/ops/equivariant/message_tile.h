#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/numerics/ops/cpu/instruction_level.h"
#include "base/numerics/ops/equivariant/message.h"
#include "base/numerics/ops/equivariant/message_paths.h"

/// The work of equivariant_message() on one tile of nodes and edges. The forward and the backward pass share
/// it.
namespace molgauge::ops {

/// Maximum nodes and edges of a tile. With these limits, its numbers fit in a cache of 1 MiB. A single node
/// may have more edges.
inline constexpr std::int64_t kTileNodes = 32, kTileEdges = 512;

/// Number of channels of a path that are processed together. The rows of these channels fill the tiles of the
/// matrix product.
inline std::int64_t channels_together(std::int64_t components) { return components == 1 ? 16 : 8; }

/// Nodes first to last - 1, with their edges.
struct NodeRange {
  std::int64_t first, last;
};

/// A node with edges. `first_edge` counts from the first edge of the tile.
struct TileNode {
  std::int64_t number, first_edge, edges;
};

/// The edges of a tile. Each edge is a column of a matrix, and `stride` is the distance between the starts of
/// two rows.
struct TileEdges {
  std::span<const TileNode> nodes;
  const float* harmonics;
  std::int64_t edges, stride;
};

/// Calls work(range) for tiles that together contain all nodes.
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

/// The buffers of a tile. Each edge is a column of a matrix, and `stride_` is the distance between the starts
/// of two rows.
class Tile {
 public:
  /// `gap`: number of unused numbers after each row of sums_.
  Tile(const MessageArguments& arguments, const std::vector<Path>& paths, std::int64_t gap);

 protected:
  /// Gathers the rows, harmonics and radial numbers of the edges of these nodes.
  void load(const NodeRange& range);

  /// The number of output rows. Each component of each node has a row.
  std::int64_t output_rows(std::int64_t components) const {
    return static_cast<std::int64_t>(nodes_.size()) * components;
  }

  PathProducts products_of(const Path& path, std::int64_t first_channel, std::int64_t channels) const;

  /// Computes two sums for these channels. The first is sums_ [node, component, channel, sums_row_]. Only the
  /// first hidden_ numbers of its rows are used. The second is plain_sums_ [node, component, channel],
  /// without radial numbers.
  void sum_products(const Path& path, std::int64_t first_channel, std::int64_t channels);

  const MessageArguments& arguments_;
  const std::vector<Path>& paths_;
  const cpu::Kernels& kernels_;
  const cpu::Loops& loops_;
  std::int64_t stride_, hidden_, sums_row_, edges_ = 0, first_edge_ = 0;
  std::vector<TileNode> nodes_;
  Floats rows_, harmonics_;
  const float* radial_ = nullptr;  ///< [edges, hidden_]. Points into the arguments, or to padded_radial_ if
                                   ///< the rows must be padded
  Floats padded_radial_;
  Floats products_, sums_, plain_sums_;
  Floats outputs_;  ///< outputs of a block, or gradients of the outputs: [node, component, channel]
};

/// For each path to an output block, calls work(path, first channel, channels) for each group of input
/// channels.
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

}  // namespace molgauge::ops
