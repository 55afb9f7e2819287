#include "molecules/ood/head/scoring_head.h"

namespace molgauge::ood {

ScoringHead::ScoringHead(const HeadWeights& weights) {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    const bool is_last = i + 1 == layers_.size();
    layers_[i] = ops::Dense(weights.layers[i], is_last ? ops::Activation::none : ops::Activation::relu);
  }
}

ops::Floats ScoringHead::energies(const ops::Floats& features) const {
  ops::Floats rows = features;
  for (const ops::Dense& layer : layers_) {
    rows = layer(rows);
  }
  return rows.reshaped({rows.size(0)});
}

}  // namespace molgauge::ood
