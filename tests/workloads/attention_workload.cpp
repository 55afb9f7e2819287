#include "workloads/attention_workload.h"

#include <cmath>

namespace molgauge::workloads {
namespace {

/// Weights of a layer.
constexpr std::size_t kJoint = 0, kOut = 1, kWiden = 2, kNarrow = 3, kWeights = 4;

}  // namespace

AttentionWorkload::AttentionWorkload(const AttentionShape& shape, bool training)
    : BlockWorkload("attention", static_cast<std::size_t>(shape.layers), training), shape_(shape) {
  for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
    add_parameter({3 * shape.width, shape.width});
    add_parameter({shape.width, shape.width});
    add_parameter({4 * shape.width, shape.width});
    add_parameter({shape.width, 4 * shape.width});
  }
}

State AttentionWorkload::inputs(std::span<const memory::ItemSize> batch) {
  const auto cost = test::padded_cost(batch);
  const auto items = static_cast<std::int64_t>(cost.items);
  const auto length = static_cast<std::int64_t>(cost.padded / cost.items);
  return {at::full({items, length, shape_.width}, 0.5, precision()),
          at::zeros({items, shape_.heads, length, length}, precision())};
}

State AttentionWorkload::block(std::size_t index, const State& state) {
  const std::size_t first = index * kWeights;
  const at::Tensor& x = state[0];
  const std::int64_t items = x.size(0), length = x.size(1), depth = shape_.width / shape_.heads;
  const at::Tensor joint = at::linear(x, weight(first + kJoint))
                               .view({items, length, 3, shape_.heads, depth})
                               .permute({2, 0, 3, 1, 4});  // the shape is now [3, items, heads, length,
                                                           // depth]
  const at::Tensor scores =
      at::matmul(joint[0], joint[1].transpose(2, 3)).mul(1 / std::sqrt(static_cast<double>(depth))) +
      state[1];
  const at::Tensor mixed = at::matmul(at::softmax(scores, -1), joint[2]).transpose(1, 2).flatten(2);
  const at::Tensor y = x + at::linear(mixed, weight(first + kOut));
  const at::Tensor hidden = at::gelu(at::linear(at::layer_norm(y, {shape_.width}), weight(first + kWiden)));
  return {y + at::linear(hidden, weight(first + kNarrow)), scores};
}

double AttentionWorkload::work(const memory::Cost& cost) const {
  return static_cast<double>(cost.pairs) / 400 + static_cast<double>(cost.padded) / 20;
}

}  // namespace molgauge::workloads
