#include "ood/scoring_head.h"

#include <ATen/ATen.h>

namespace headroom::ood {

ScoringHead::ScoringHead(const EnergyHead& head) {
  const auto numbers = [&](std::size_t parameter) { return head.parameters()[parameter].value.detach(); };
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const bool is_last = i + 1 == layers_.size();
    layers_[i] = ops::Dense({.weight = numbers(2 * i), .bias = numbers(2 * i + 1)},
                            is_last ? ops::Activation::none : ops::Activation::relu);
  }
}

at::Tensor ScoringHead::energies(const at::Tensor& features) const {
  at::Tensor rows = features.to(at::kFloat).contiguous();
  for (const ops::Dense& layer : layers_) {
    rows = layer(rows);
  }
  return rows.squeeze(1);
}

}  // namespace headroom::ood
