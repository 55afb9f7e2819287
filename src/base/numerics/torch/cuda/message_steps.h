#pragma once

#include <cstdint>

#include "base/numerics/ops/everywhere.h"
#include "base/numerics/torch/cuda/row_and_column.h"

/// The steps and tiles of equivariant messages on a GPU (launch_steps.h, launch_tiles.h). They also compile
/// for the host, where tests run them. All pointers are device pointers.
namespace molgauge::torch::cuda {

/// A term of a sum: value * p[a] * q[b].
struct FormTerm {
  std::int32_t a, b;
  float value;
};

/// For each edge and each output number o: out[edge, o] = sum over the terms of o of value * p[row of the
/// edge, a] * q[row of the edge, b].
struct Contraction {
  const std::int32_t* first;  ///< [outs + 1] index of the first term
  const FormTerm* terms;
  std::int64_t outs;
  const float* p;
  const std::int64_t* p_rows;  ///< row of p for each edge. If null, edge e uses row e
  std::int64_t p_width;
  const float* q;
  const std::int64_t* q_rows;
  std::int64_t q_width;
  float* out;  ///< [edges, outs]

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [edge, o] = RowAndColumn::of(i, outs);
    const float* const own_p = p + (p_rows == nullptr ? edge : p_rows[edge]) * p_width;
    const float* const own_q = q + (q_rows == nullptr ? edge : q_rows[edge]) * q_width;
    float sum = 0;
    for (std::int32_t term = first[o]; term < first[o + 1]; ++term) {
      sum += terms[term].value * own_p[terms[term].a] * own_q[terms[term].b];
    }
    out[i] = sum;
  }
};

/// The layout of the sums of a tile of nodes. The paths to the same output block form a group. The sums of a
/// group are [nodes, products of the group, hidden + 1]. The sums of the groups are stored one after the
/// other.
struct SumLayout {
  const std::int32_t* group_first;  ///< for each product: the first product of its group
  const std::int32_t* group_count;  ///< for each product: the number of products of its group
  std::int64_t products,
      columns;  ///< columns of the sums, hidden + 1 for every group. The last column is for the bias
  std::int64_t nodes;

  MOLGAUGE_EVERYWHERE std::int64_t place(std::int64_t node, std::int64_t product) const {
    const std::int64_t begin = group_first[product], count = group_count[product];
    return (nodes * begin + node * count + (product - begin)) * columns;
  }
};

/// For each node, computes sums over its edges. Columns 0 to hidden - 1 are sums of products times radial
/// numbers, and the last column is the sum of the products. A step computes one column of kTogether products.
struct Sums {
  static constexpr std::int64_t kTogether = 8;

  SumLayout layout;
  const float* products;      ///< [edges of the tile, products]
  const float* radial;        ///< [edges of the tile, hidden]
  const std::int64_t* first;  ///< [nodes + 1] first edge of each node, among all edges
  std::int64_t first_edge;    ///< first edge of the tile
  float* sums;

  MOLGAUGE_EVERYWHERE std::int64_t groups() const { return (layout.products + kTogether - 1) / kTogether; }
  MOLGAUGE_EVERYWHERE std::int64_t count() const { return layout.nodes * groups() * layout.columns; }

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [group_of_node, column] = RowAndColumn::of(i, layout.columns);
    const auto [node, group] = RowAndColumn::of(group_of_node, groups());
    const std::int64_t begin = group * kTogether;
    const std::int64_t together = layout.products - begin < kTogether ? layout.products - begin : kTogether;
    const std::int64_t hidden = layout.columns - 1;
    float own[kTogether] = {};
    for (std::int64_t edge = first[node] - first_edge; edge < first[node + 1] - first_edge; ++edge) {
      const float factor = column == hidden ? 1.0F : radial[edge * hidden + column];
      const float* const row = products + edge * layout.products + begin;
      for (std::int64_t k = 0; k < together; ++k) {
        own[k] += row[k] * factor;
      }
    }
    for (std::int64_t k = 0; k < together; ++k) {
      sums[layout.place(node, begin + k) + column] = own[k];
    }
  }
};

/// The common part of the tiles that compute gradients of edges. A tile processes kEdges edges of one node at
/// a time, and kAcross gradients of each edge. A gradient is a sum of products. Each product multiplies a
/// number of the edge by a number of the node. Each round adds kDeep terms.
struct SlopeTiles {
  static constexpr int kThreads = 256, kEdges = 16, kAcross = 64, kDeep = 32;
  /// The number of edges for which a thread computes gradients, one gradient for each edge.
  static constexpr int kOwnEdges = kEdges * kAcross / kThreads;

  /// Data of one round. Because of the padding, threads of a warp access different memory banks.
  struct Shared {
    float of_node[kDeep][kAcross + 1];
    float of_edges[kDeep][kEdges + 1];
  };
  struct Own {
    float sums[kOwnEdges];
  };

  SumLayout layout;
  const float* of_sums;       ///< gradients of the sums, in the layout SumLayout
  const std::int64_t* first;  ///< [nodes + 1] first edge of each node in the tile of nodes, among all edges
  std::int64_t first_edge;    ///< first edge of the tile of nodes

  MOLGAUGE_EVERYWHERE static std::int64_t parts(std::int64_t count, std::int64_t size) {
    return (count + size - 1) / size;
  }
  MOLGAUGE_EVERYWHERE int edges(std::int64_t node) const {
    return static_cast<int>(first[node + 1] - first[node]);
  }
  /// The edges of a node are divided into groups of kEdges edges. Returns the first edge of group `slot`,
  /// relative to the first edge of the tile of nodes.
  MOLGAUGE_EVERYWHERE std::int64_t edge(std::int64_t node, int slot) const {
    return first[node] - first_edge + static_cast<std::int64_t>(slot) * kEdges;
  }
  /// Adds the products of the round to the sums of the thread.
  MOLGAUGE_EVERYWHERE static void add(int thread, const Shared& from, Own& own) {
    const int across = thread % kAcross, begin = thread / kAcross * kOwnEdges;
    for (int k = 0; k < kDeep; ++k) {
      const float factor = from.of_node[k][across];
      for (int e = 0; e < kOwnEdges; ++e) {
        own.sums[e] += from.of_edges[k][begin + e] * factor;
      }
    }
  }
  /// Writes the sums of the thread to [edges, width] and resets them.
  MOLGAUGE_EVERYWHERE void write(std::int64_t node, int slot, int thread, std::int64_t column,
                                 std::int64_t width, float* to, Own& own) const {
    const int begin = thread / kAcross * kOwnEdges;
    for (int e = 0; e < kOwnEdges; ++e) {
      if (column < width && slot * kEdges + begin + e < edges(node)) {
        to[(edge(node, slot) + begin + e) * width + column] = own.sums[e];
      }
      own.sums[e] = 0;
    }
  }
};

/// Computes the gradients of the radial numbers of each edge, which are sums over products. A tile is one
/// node and up to kAcross radial numbers.
struct RadialGradients : SlopeTiles {
  const float* products;  ///< [edges of the tile, products]
  float* of_radial;       ///< [edges of the tile, hidden]

  MOLGAUGE_EVERYWHERE std::int64_t across() const { return parts(layout.columns - 1, kAcross); }
  MOLGAUGE_EVERYWHERE std::int64_t tiles() const { return layout.nodes * across(); }
  MOLGAUGE_EVERYWHERE int depth() const { return static_cast<int>(parts(layout.products, kDeep)); }
  MOLGAUGE_EVERYWHERE int rounds(std::int64_t tile) const {
    return static_cast<int>(parts(edges(tile / across()), kEdges)) * depth();
  }

  MOLGAUGE_EVERYWHERE void load(std::int64_t tile, int round, int thread, Shared& to) const {
    const std::int64_t node = tile / across(), column = tile % across() * kAcross,
                       hidden = layout.columns - 1;
    const int slot = round / depth(), left = edges(node) - slot * kEdges;
    const int begin = round % depth() * kDeep, deep = static_cast<int>(layout.products) - begin;
    const float* const rows = products + edge(node, slot) * layout.products + begin;
    for (int i = thread; i < kDeep * kEdges; i += kThreads) {
      const int k = i % kDeep, e = i / kDeep;
      to.of_edges[k][e] = k < deep && e < left ? rows[e * layout.products + k] : 0;
    }
    for (int i = thread; i < kDeep * kAcross; i += kThreads) {
      const int across = i % kAcross, k = i / kAcross;
      to.of_node[k][across] =
          k < deep && column + across < hidden ? of_sums[layout.place(node, begin + k) + column + across] : 0;
    }
  }
  MOLGAUGE_EVERYWHERE void compute(std::int64_t tile, int round, int thread, const Shared& from,
                                   Own& own) const {
    add(thread, from, own);
    if ((round + 1) % depth() == 0) {
      write(tile / across(), round / depth(), thread, tile % across() * kAcross + thread % kAcross,
            layout.columns - 1, of_radial, own);
    }
  }
};

/// Computes the gradients of the products of each edge, which are sums over radial numbers and a 1 for the
/// bias. A tile is one node and up to kAcross products.
struct ProductGradients : SlopeTiles {
  const float* radial;  ///< [edges of the tile, hidden]
  float* of_products;   ///< [edges of the tile, products]

  MOLGAUGE_EVERYWHERE std::int64_t across() const { return parts(layout.products, kAcross); }
  MOLGAUGE_EVERYWHERE std::int64_t tiles() const { return layout.nodes * across(); }
  MOLGAUGE_EVERYWHERE int depth() const { return static_cast<int>(parts(layout.columns, kDeep)); }
  MOLGAUGE_EVERYWHERE int rounds(std::int64_t tile) const {
    return static_cast<int>(parts(edges(tile / across()), kEdges)) * depth();
  }

  MOLGAUGE_EVERYWHERE void load(std::int64_t tile, int round, int thread, Shared& to) const {
    const std::int64_t node = tile / across(), product = tile % across() * kAcross;
    const int slot = round / depth(), left = edges(node) - slot * kEdges;
    const int begin = round % depth() * kDeep, deep = static_cast<int>(layout.columns) - begin;
    const int hidden = static_cast<int>(layout.columns) - 1;
    const float* const rows = radial + edge(node, slot) * hidden + begin;
    for (int i = thread; i < kDeep * kEdges; i += kThreads) {
      const int k = i % kDeep, e = i / kDeep;
      const bool is_there = k < deep && e < left;
      to.of_edges[k][e] = !is_there ? 0 : begin + k == hidden ? 1 : rows[e * hidden + k];
    }
    for (int i = thread; i < kDeep * kAcross; i += kThreads) {
      const int k = i % kDeep, across = i / kDeep;
      to.of_node[k][across] = k < deep && product + across < layout.products
                                  ? of_sums[layout.place(node, product + across) + begin + k]
                                  : 0;
    }
  }
  MOLGAUGE_EVERYWHERE void compute(std::int64_t tile, int round, int thread, const Shared& from,
                                   Own& own) const {
    add(thread, from, own);
    if ((round + 1) % depth() == 0) {
      write(tile / across(), round / depth(), thread, tile % across() * kAcross + thread % kAcross,
            layout.products, of_products, own);
    }
  }
};

/// The arranged weights: for each group of paths a matrix [channels (hidden + 1), out channels]. The last row
/// of a channel is the bias.
struct WeightLayout {
  const std::int32_t* begin;         ///< for each row of `weight`: the place of its first number
  const std::int32_t* out_channels;  ///< for each row of `weight`: the distance of its numbers
  std::int64_t hidden;

  MOLGAUGE_EVERYWHERE std::int64_t place(std::int64_t row, std::int64_t column) const {
    return begin[row] + column * out_channels[row];
  }
};

/// Arranges the weights. A step copies one number.
struct ArrangedWeights {
  WeightLayout layout;
  const float *weight, *bias;  ///< [rows, hidden], [rows]
  float* arranged;

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [row, column] = RowAndColumn::of(i, layout.hidden + 1);
    arranged[layout.place(row, column)] =
        column == layout.hidden ? bias[row] : weight[row * layout.hidden + column];
  }
};

/// The inverse of ArrangedWeights.
struct SeparatedWeights {
  WeightLayout layout;
  const float* arranged;
  float *weight, *bias;

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [row, column] = RowAndColumn::of(i, layout.hidden + 1);
    (column == layout.hidden ? bias[row] : weight[row * layout.hidden + column]) =
        arranged[layout.place(row, column)];
  }
};

/// The results of the matrix products of a tile of nodes: for each output block [nodes, components,
/// channels], one after the other.
struct OutputLayout {
  const std::int32_t* begin;       ///< for each column of an output row: the first column of its block
  const std::int32_t* components;  ///< for each column: the components of its block, or 0 without any path
  const std::int32_t* channels;    ///< for each column: the channels of its block
  std::int64_t width;              ///< width of an output row
  std::int64_t nodes;

  MOLGAUGE_EVERYWHERE bool has_paths(std::int64_t column) const { return components[column] > 0; }
  MOLGAUGE_EVERYWHERE std::int64_t place(std::int64_t node, std::int64_t column) const {
    const std::int64_t first = begin[column], own = column - first, each = components[column];
    return nodes * first + (node * each + own % each) * channels[column] + own / each;
  }
};

/// Copies the results of the products to the output rows.
struct OutputRows {
  OutputLayout layout;
  const float* made;
  float* rows;  ///< [nodes, width]

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [node, column] = RowAndColumn::of(i, layout.width);
    rows[i] = layout.has_paths(column) ? made[layout.place(node, column)] : 0;
  }
};

/// The inverse of OutputRows, for gradients.
struct OutputGradients {
  OutputLayout layout;
  const float* rows;
  float* made;

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [node, column] = RowAndColumn::of(i, layout.width);
    if (layout.has_paths(column)) {
      made[layout.place(node, column)] = rows[i];
    }
  }
};

/// For each node, the sum of the rows of its outgoing edges, in the order of the edges.
struct RowSums {
  const float* rows;          ///< [edges, width]
  const std::int64_t* edges;  ///< edges ordered by their source
  const std::int64_t* first;  ///< [nodes + 1] position in `edges` at which the edges of each node begin
  std::int64_t width;
  float* sums;  ///< [nodes, width]

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const auto [node, k] = RowAndColumn::of(i, width);
    float sum = 0;
    for (std::int64_t place = first[node]; place < first[node + 1]; ++place) {
      sum += rows[edges[place] * width + k];
    }
    sums[i] = sum;
  }
};

}  // namespace molgauge::torch::cuda
