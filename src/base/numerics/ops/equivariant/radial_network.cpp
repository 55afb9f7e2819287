#include "base/numerics/ops/equivariant/radial_network.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/numerics/ops/cpu/instruction_level.h"
#include "base/numerics/ops/equivariant/message_weights.h"
#include "base/numerics/ops/equivariant/whole_vectors.h"

namespace molgauge::ops {
namespace {

/// Number of edges in a tile. The data of a tile fit in a cache of a few hundred KiB.
constexpr std::int64_t kTile = 96;

/// Copies rows [count, width] and pads each row with zeros to whole vectors.
Floats padded_rows(const float* rows, std::int64_t count, std::int64_t width) {
  Floats made = Floats::zeros({count, padded(width)});
  for (std::int64_t row = 0; row < count; ++row) {
    std::copy_n(rows + row * width, width, made.data() + row * padded(width));
  }
  return made;
}

/// Copies the columns of a matrix [count, width] and pads each column with zeros to whole vectors. The result
/// is [width, padded count].
Floats padded_columns(const float* rows, std::int64_t count, std::int64_t width) {
  Floats made = Floats::zeros({width, padded(count)});
  for (std::int64_t row = 0; row < count; ++row) {
    for (std::int64_t k = 0; k < width; ++k) {
      made.data()[k * padded(count) + row] = rows[row * width + k];
    }
  }
  return made;
}

/// The data of a tile of edges, in rows that are padded with zeros to whole vectors.
class RadialTile {
 public:
  explicit RadialTile(const RadialArguments& arguments)
      : arguments_(arguments),
        in_(padded(arguments.in)),
        hidden_(padded(arguments.hidden)),
        first_(padded_columns(arguments.first_weight, arguments.hidden, arguments.in)),
        second_(padded_columns(arguments.second_weight, arguments.hidden, arguments.hidden)),
        first_bias_(padded_rows(arguments.first_bias, 1, arguments.hidden)),
        second_bias_(padded_rows(arguments.second_bias, 1, arguments.hidden)),
        x_(Floats::zeros({kTile, in_})),
        before_first_(Floats{kTile, hidden_}),
        between_(Floats{kTile, hidden_}),
        before_second_(Floats{kTile, hidden_}) {}

  /// Computes the inputs of the first and of the second silu function, in rows of whole vectors. Writes the
  /// inputs of the second function to `last`.
  void compute(std::int64_t first, std::int64_t count, float* last) {
    cpu::loops().copy_rows({.count = count,
                            .width = arguments_.in,
                            .from = arguments_.x + first * arguments_.in,
                            .from_row = arguments_.in,
                            .to = x_.data(),
                            .to_row = in_});
    linear(x_, in_, arguments_.in, first_, first_bias_, count, before_first_.data());
    silu(count, before_first_.data(), between_.data());
    linear(between_, hidden_, arguments_.hidden, second_, second_bias_, count, last);
  }

  /// Computes the output rows of these edges and writes them to `out`.
  void write(std::int64_t first, std::int64_t count, float* out) {
    float* const to = out + first * arguments_.hidden;
    if (hidden_ == arguments_.hidden) {
      compute(first, count, to);
      silu(count, to, to);
      return;
    }
    compute(first, count, before_second_.data());
    silu(count, before_second_.data(), before_second_.data());
    for (std::int64_t edge = 0; edge < count; ++edge) {
      std::copy_n(before_second_.data() + edge * hidden_, arguments_.hidden, to + edge * arguments_.hidden);
    }
  }

 protected:
  void silu(std::int64_t count, const float* numbers, float* to) const {
    cpu::loops().silu(static_cast<std::size_t>(count * hidden_), numbers, to);
  }

  const RadialArguments& arguments_;
  const std::int64_t in_, hidden_;  ///< distances between consecutive rows
  const Floats first_, second_;     ///< shapes: [in, hidden] and [hidden, hidden]
  const Floats first_bias_, second_bias_;
  Floats x_, before_first_, between_, before_second_;

 private:
  void linear(const Floats& rows, std::int64_t row, std::int64_t terms, const Floats& weights,
              const Floats& bias, std::int64_t count, float* to) const {
    cpu::kernels().strided_product({.a = rows.data(),
                                    .b = weights.data(),
                                    .c = to,
                                    .rows = count,
                                    .terms = terms,
                                    .columns = hidden_,
                                    .a_row = row,
                                    .a_term = 1,
                                    .b_term = hidden_,
                                    .c_row = hidden_,
                                    .column_start = bias.data()});
  }
};

class RadialTileBackward : public RadialTile {
 public:
  RadialTileBackward(const RadialArguments& arguments, const RadialGradients& to)
      : RadialTile(arguments),
        to_(to),
        first_rows_(padded_rows(arguments.first_weight, arguments.hidden, arguments.in)),
        second_rows_(padded_rows(arguments.second_weight, arguments.hidden, arguments.hidden)),
        of_second_(Floats::zeros({kTile, hidden_})),
        of_first_(Floats{kTile, hidden_}),
        of_x_(Floats{kTile, in_}),
        of_first_layer_(arguments.hidden, arguments.in, in_),
        of_second_layer_(arguments.hidden, arguments.hidden, hidden_) {}

  void differentiate(std::int64_t first, std::int64_t count, const float* gradient) {
    const std::int64_t hidden = arguments_.hidden;
    compute(first, count, before_second_.data());
    cpu::loops().copy_rows({.count = count,
                            .width = hidden,
                            .from = gradient + first * hidden,
                            .from_row = hidden,
                            .to = of_second_.data(),
                            .to_row = hidden_});
    slope(count, before_second_, of_second_);
    add_layer(of_second_, between_, count, of_second_layer_);
    pass_back(of_second_, second_rows_, hidden_, count, of_first_);
    slope(count, before_first_, of_first_);
    add_layer(of_first_, x_, count, of_first_layer_);
    if (to_.x != nullptr) {
      pass_back(of_first_, first_rows_, in_, count, of_x_);
      for (std::int64_t edge = 0; edge < count; ++edge) {
        for (std::int64_t k = 0; k < arguments_.in; ++k) {
          to_.x[(first + edge) * arguments_.in + k] += of_x_.data()[edge * in_ + k];
        }
      }
    }
  }

  /// Adds the sums over all tiles to the gradients of the weights.
  void finish() const {
    of_first_layer_.add_to(to_.first_weight, to_.first_bias);
    of_second_layer_.add_to(to_.second_weight, to_.second_bias);
  }

 private:
  void slope(std::int64_t count, const Floats& before, Floats& gradient) const {
    cpu::loops().silu_backward(static_cast<std::size_t>(count * hidden_), before.data(), gradient.data());
  }

  /// Sums of the gradients of the weights and bias of a layer. The gradients of many edges nearly cancel each
  /// other, so a sum over all edges in single precision would lose digits. Only the sums of a tile are in
  /// single precision.
  struct LayerSums {
    LayerSums(std::int64_t out, std::int64_t in_columns, std::int64_t padded_columns)
        : rows(out),
          columns(in_columns),
          row(padded_columns),
          of_tile(Floats{out, padded_columns}),
          weight(static_cast<std::size_t>(out * padded_columns)),
          bias(static_cast<std::size_t>(out)) {}

    void add_tile() {
      const float* const numbers = of_tile.data();
      for (std::size_t i = 0; i < weight.size(); ++i) {
        weight[i] += static_cast<double>(numbers[i]);
      }
    }
    void add_to(float* of_weight, float* of_bias) const {
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t k = 0; k < columns; ++k) {
          of_weight[i * columns + k] += static_cast<float>(weight[static_cast<std::size_t>(i * row + k)]);
        }
        of_bias[i] += static_cast<float>(bias[static_cast<std::size_t>(i)]);
      }
    }

    std::int64_t rows, columns, row;  ///< `row`: distance between consecutive rows
    Floats of_tile;
    std::vector<double> weight, bias;
  };

  /// Adds the gradients of the weights and the bias of a layer to `sums`. `rows` are the inputs of the layer,
  /// and `gradient` is the gradient of its outputs.
  void add_layer(const Floats& gradient, const Floats& rows, std::int64_t count, LayerSums& sums) const {
    cpu::kernels().strided_product({.a = gradient.data(),
                                    .b = rows.data(),
                                    .c = sums.of_tile.data(),
                                    .rows = arguments_.hidden,
                                    .terms = count,
                                    .columns = sums.row,
                                    .a_row = 1,
                                    .a_term = hidden_,
                                    .b_term = sums.row,
                                    .c_row = sums.row});
    sums.add_tile();
    for (std::int64_t edge = 0; edge < count; ++edge) {
      for (std::int64_t k = 0; k < arguments_.hidden; ++k) {
        sums.bias[static_cast<std::size_t>(k)] += static_cast<double>(gradient.data()[edge * hidden_ + k]);
      }
    }
  }

  void pass_back(const Floats& gradient, const Floats& weights, std::int64_t row, std::int64_t count,
                 Floats& to) const {
    cpu::kernels().strided_product({.a = gradient.data(),
                                    .b = weights.data(),
                                    .c = to.data(),
                                    .rows = count,
                                    .terms = arguments_.hidden,
                                    .columns = row,
                                    .a_row = hidden_,
                                    .a_term = 1,
                                    .b_term = row,
                                    .c_row = row});
  }

  const RadialGradients to_;
  const Floats first_rows_, second_rows_;  ///< weights in their original order
  Floats of_second_, of_first_, of_x_;
  LayerSums of_first_layer_, of_second_layer_;
};

template <typename Work>
void for_each_tile_of_edges(std::int64_t edges, const Work& work) {
  for (std::int64_t first = 0; first < edges; first += kTile) {
    work(first, std::min(kTile, edges - first));
  }
}

}  // namespace

void radial_network(const RadialArguments& arguments, float* out) {
  RadialTile tile(arguments);
  for_each_tile_of_edges(arguments.edges,
                         [&](std::int64_t first, std::int64_t count) { tile.write(first, count, out); });
}

void radial_network_backward(const RadialArguments& arguments, const float* gradient,
                             const RadialGradients& to) {
  RadialTileBackward tile(arguments, to);
  for_each_tile_of_edges(arguments.edges, [&](std::int64_t first, std::int64_t count) {
    tile.differentiate(first, count, gradient);
  });
  tile.finish();
}

NetworkMessage::NetworkMessage(std::shared_ptr<const TensorProduct> product, const WeightNetwork& network)
    : product_(std::move(product)), first_(network.first), second_(network.second) {
  if (network.last.weight.defined()) {
    weights_ = std::make_shared<const MessageWeights>(*product_, network.last.weight.width(),
                                                      network.last.weight.data(), network.last.bias.data());
  }
}

Floats NetworkMessage::operator()(const Floats& rows, const DirectedEdges& edges, const Floats& harmonics,
                                  const Floats& x) const {
  const std::int64_t hidden = first_.weight.size(0);
  Floats radial{x.size(0), hidden};
  radial_network({.edges = x.size(0),
                  .in = x.width(),
                  .hidden = hidden,
                  .x = x.data(),
                  .first_weight = first_.weight.data(),
                  .first_bias = first_.bias.data(),
                  .second_weight = second_.weight.data(),
                  .second_bias = second_.bias.data()},
                 radial.data());
  Floats out{rows.size(0), product_->out().width()};
  equivariant_message({.product = *product_,
                       .nodes = rows.size(0),
                       .hidden = hidden,
                       .rows = rows.data(),
                       .harmonics = harmonics.data(),
                       .radial = radial.data(),
                       .weight = nullptr,
                       .bias = nullptr,
                       .source = edges.source.data(),
                       .first = edges.first.data()},
                      *weights_, out.data());
  return out;
}

}  // namespace molgauge::ops
