#include "workloads/message_workload.h"

namespace molgauge::workloads {
namespace {

/// Weights of a layer.
constexpr std::size_t kMessage = 0, kUpdate = 1, kOut = 2, kWeights = 3;

}  // namespace

MessageWorkload::MessageWorkload(const MessageShape& shape, bool training)
    : BlockWorkload("message passing", static_cast<std::size_t>(shape.layers), training), shape_(shape) {
  for (std::int64_t layer = 0; layer < shape.layers; ++layer) {
    add_parameter({shape.width, shape.width});
    add_parameter({2 * shape.width, shape.width});
    add_parameter({shape.width, 2 * shape.width});
  }
}

State MessageWorkload::inputs(std::span<const memory::ItemSize> batch) {
  const auto cost = memory::packed_cost(batch);
  const auto atoms = static_cast<std::int64_t>(cost.tokens), edges = static_cast<std::int64_t>(cost.pairs);
  const at::Tensor source = at::arange(edges, at::kLong).remainder_(atoms);
  return {at::full({atoms, shape_.width}, 0.5, precision()),
          at::full({edges, shape_.width}, 0.25, precision()), source, source.flip(0)};
}

State MessageWorkload::block(std::size_t index, const State& state) {
  const std::size_t first = index * kWeights;
  const at::Tensor& x = state[0];
  const at::Tensor& source = state[2];
  const at::Tensor& target = state[3];
  const at::Tensor message =
      at::relu(at::linear(x.index_select(0, source) + state[1], weight(first + kMessage)));
  const at::Tensor arrived = at::zeros_like(x).index_add(0, target, message);
  const at::Tensor hidden = at::gelu(at::linear(x + arrived, weight(first + kUpdate)));
  return {x + at::linear(hidden, weight(first + kOut)), state[1], source, target};
}

double MessageWorkload::work(const memory::Cost& cost) const {
  return static_cast<double>(cost.tokens) / 20 + static_cast<double>(cost.pairs) / 30;
}

}  // namespace molgauge::workloads
