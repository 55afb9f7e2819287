#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "numerics/ops/cpu/instruction_level.h"
#include "numerics/ops/equivariant/message.h"
#include "numerics/ops/equivariant/message_paths.h"

/// What both passes of equivariant_message() do for some nodes and their edges at a time.
namespace headroom::ops {

/// Nodes and edges of a tile, unless one node has more edges: what is kept of a tile then stays in a cache of
/// 1 MiB.
inline constexpr std::int64_t kTileNodes = 32, kTileEdges = 512;

/// Channels of a path that are taken together: the rows of their products fill tiles of the matrix product.
inline std::int64_t channels_together(std::int64_t components) { return components == 1 ? 16 : 8; }

/// Nodes first to last - 1, with their edges.
struct NodeRange {
  std::int64_t first, last;
};

/// A node with edges, which are counted from the tile's first.
struct TileNode {
  std::int64_t number, first_edge, edges;
};

/// The edges of a tile, whose numbers lie in columns, `stride` apart from row to row.
struct TileEdges {
  std::span<const TileNode> nodes;
  const float* harmonics;
  std::int64_t edges, stride;
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

/// The numbers of a tile. Those of edges lie in columns, `stride_` apart from row to row.
class Tile {
 public:
  /// `gap`: numbers between a row of sums_ and the next.
  Tile(const MessageArguments& arguments, const std::vector<Path>& paths, std::int64_t gap);

 protected:
  /// Reads what the edges of these nodes have.
  void load(const NodeRange& range);

  /// The rows of the nodes' outputs: one for each node and component.
  std::int64_t output_rows(std::int64_t components) const {
    return static_cast<std::int64_t>(nodes_.size()) * components;
  }

  PathProducts products_of(const Path& path, std::int64_t first_channel, std::int64_t channels) const;

  /// Makes sums_ [node, component, channel, sums_row_] of these channels, of which hidden_ count, and
  /// plain_sums_ [node, component, channel], those without a radial number.
  void sum_products(const Path& path, std::int64_t first_channel, std::int64_t channels);

  const MessageArguments& arguments_;
  const std::vector<Path>& paths_;
  const cpu::Kernels& kernels_;
  const cpu::Loops& loops_;
  std::int64_t stride_, hidden_, sums_row_, edges_ = 0, first_edge_ = 0;
  std::vector<TileNode> nodes_;
  Floats rows_, harmonics_;
  const float* radial_ = nullptr;  ///< [edges, hidden_]: the arguments' own where these are whole vectors
  Floats padded_radial_;
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

}  // namespace headroom::ops
