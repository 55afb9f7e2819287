#pragma once

#include <cstdint>

#include "ops/everywhere.h"

/// The steps of equivariant messages on a GPU. Each is a function of a number: a thread does one, and no two
/// write to the same place. They are compiled for the host as well, where tests run them. Pointers are the
/// device's.
namespace headroom::torch::cuda {

/// A term of a form: value * p[a] * q[b].
struct FormTerm {
  std::int32_t a, b;
  float value;
};

/// For each edge and each number o of what is made: out[edge, o] = sum over the terms of o of
/// value * p[row of the edge, a] * q[row of the edge, b].
struct Contraction {
  const std::int32_t* first;  ///< [outs + 1] of `terms`
  const FormTerm* terms;
  std::int64_t outs;
  const float* p;
  const std::int64_t* p_rows;  ///< by edge; nullptr: the edge's own
  std::int64_t p_width;
  const float* q;
  const std::int64_t* q_rows;
  std::int64_t q_width;
  float* out;  ///< [edges, outs]

  HEADROOM_EVERYWHERE void operator()(std::int64_t i) const {
    const std::int64_t edge = i / outs, o = i % outs;
    const float* const own_p = p + (p_rows == nullptr ? edge : p_rows[edge]) * p_width;
    const float* const own_q = q + (q_rows == nullptr ? edge : q_rows[edge]) * q_width;
    float sum = 0;
    for (std::int32_t term = first[o]; term < first[o + 1]; ++term) {
      sum += terms[term].value * own_p[terms[term].a] * own_q[terms[term].b];
    }
    out[i] = sum;
  }
};

/// Where the sums of a tile of nodes lie: path after path, [nodes, products of the path, hidden + 1] each.
struct SumLayout {
  const std::int32_t* path_first;  ///< by product: the first product of its path
  const std::int32_t* path_count;  ///< by product: how many its path has
  std::int64_t products, columns;  ///< of all paths; hidden + 1, the last for the bias
  std::int64_t nodes;

  HEADROOM_EVERYWHERE std::int64_t place(std::int64_t node, std::int64_t product) const {
    const std::int64_t begin = path_first[product], count = path_count[product];
    return (nodes * begin + node * count + (product - begin)) * columns;
  }
};

/// The sums over a node's edges of products times radial numbers (and a 1), of some products at a time.
struct Sums {
  static constexpr std::int64_t kTogether = 8;

  SumLayout layout;
  const float* products;      ///< [edges of the tile, products]
  const float* radial;        ///< [edges of the tile, hidden]
  const std::int64_t* first;  ///< [nodes + 1], of all edges
  std::int64_t first_edge;    ///< of the tile
  float* sums;

  HEADROOM_EVERYWHERE std::int64_t groups() const { return (layout.products + kTogether - 1) / kTogether; }
  HEADROOM_EVERYWHERE std::int64_t count() const { return layout.nodes * groups() * layout.columns; }

  HEADROOM_EVERYWHERE void operator()(std::int64_t i) const {
    const std::int64_t column = i % layout.columns, group = i / layout.columns % groups(),
                       node = i / layout.columns / groups(), begin = group * kTogether;
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

/// The gradients in the radial numbers, from those in the sums.
struct RadialSlopes {
  SumLayout layout;
  const float* products;       ///< [edges of the tile, products]
  const float* of_sums;        ///< as Sums has them
  const std::int64_t* target;  ///< [edges of the tile]
  std::int64_t first_node;     ///< of the tile
  float* of_radial;            ///< [edges of the tile, hidden]

  HEADROOM_EVERYWHERE void operator()(std::int64_t i) const {
    const std::int64_t hidden = layout.columns - 1, edge = i / hidden, column = i % hidden,
                       node = target[edge] - first_node;
    const float* const row = products + edge * layout.products;
    float sum = 0;
    for (std::int64_t product = 0; product < layout.products; ++product) {
      sum += row[product] * of_sums[layout.place(node, product) + column];
    }
    of_radial[i] = sum;
  }
};

/// The gradients in the products, from those in the sums.
struct ProductSlopes {
  SumLayout layout;
  const float* radial;
  const float* of_sums;
  const std::int64_t* target;
  std::int64_t first_node;
  float* of_products;  ///< [edges of the tile, products]

  HEADROOM_EVERYWHERE void operator()(std::int64_t i) const {
    const std::int64_t hidden = layout.columns - 1, edge = i / layout.products, product = i % layout.products;
    const float* const slopes = of_sums + layout.place(target[edge] - first_node, product);
    const float* const row = radial + edge * hidden;
    float sum = slopes[hidden];
    for (std::int64_t column = 0; column < hidden; ++column) {
      sum += slopes[column] * row[column];
    }
    of_products[i] = sum;
  }
};

/// The sum of the rows of the edges from each node, in the edges' order.
struct RowSums {
  const float* rows;          ///< [edges, width]
  const std::int64_t* edges;  ///< ordered by their source
  const std::int64_t* first;  ///< [nodes + 1] of `edges`
  std::int64_t width;
  float* sums;  ///< [nodes, width]

  HEADROOM_EVERYWHERE void operator()(std::int64_t i) const {
    const std::int64_t node = i / width, k = i % width;
    float sum = 0;
    for (std::int64_t place = first[node]; place < first[node + 1]; ++place) {
      sum += rows[edges[place] * width + k];
    }
    sums[i] = sum;
  }
};

}  // namespace headroom::torch::cuda
