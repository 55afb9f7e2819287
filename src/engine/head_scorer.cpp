#include "engine/head_scorer.h"

#include <algorithm>

#include "engine/later_needs.h"
#include "engine/torch_part.h"

namespace headroom::verbs {

HeadScorer::HeadScorer(ood::HeadWeights weights, Device device, std::size_t batch_size, std::size_t threads)
    : weights_(std::move(weights)), device_(device), batch_size_(batch_size), threads_(threads) {
  if (device_.is_cpu()) {
    on_cpu_.emplace(weights_);
  }
}

MemoryNeed HeadScorer::need(std::size_t rows, std::size_t rows_at_once, std::uint64_t bytes_a_row) const {
  const std::uint64_t features = std::uint64_t{std::min(rows, rows_at_once)} *
                                 static_cast<std::uint64_t>(weights_.feature_width()) * sizeof(float);
  const std::uint64_t activations = ood::scoring_bytes(weights_.feature_width(), weights_.hidden_width(),
                                                       std::min(rows, batch_size_), threads_);
  MemoryNeed need;
  need.what = "scoring";
  need.host_bytes = kLeftByEncoding + features + rows * bytes_a_row + (device_.is_gpu() ? 0 : activations);
  need.device_bytes = device_.is_gpu() ? features + activations : 0;
  return need;
}

ood::Scores HeadScorer::score(const ops::Floats& features) const {
  return on_cpu_ ? ood::score_features(*on_cpu_, features, batch_size_, threads_)
                 : torch_part().score(weights_, features, batch_size_, device_);
}

}  // namespace headroom::verbs
