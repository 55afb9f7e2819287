#include "molecules/verbs/score/head_scorer.h"

#include <algorithm>
#include <memory>

#include "base/memory/plan/device_workspace.h"
#include "molecules/encoding/session/molecule_torch.h"
#include "molecules/encoding/session/output_requirements.h"

namespace molgauge::verbs {

HeadScorer::HeadScorer(const ood::HeadWeights& weights, Device device, std::size_t batch_size,
                       std::size_t threads)
    : device_(device),
      width_(weights.feature_width()),
      hidden_width_(weights.hidden_width()),
      batch_size_(batch_size),
      threads_(threads) {
  if (device.is_gpu()) {
    score_ = runtime::torch_part<session::MoleculeTorch>().make_scorer(weights, batch_size, device);
    return;
  }
  score_ = [head = std::make_shared<const ood::ScoringHead>(weights), batch_size,
            threads](const ops::Floats& features) {
    return ood::score_features(*head, features, batch_size, threads);
  };
}

runtime::MemoryRequirement HeadScorer::need(std::size_t rows, std::size_t rows_at_once,
                                            std::uint64_t bytes_a_row) const {
  const std::uint64_t features =
      std::uint64_t{std::min(rows, rows_at_once)} * static_cast<std::uint64_t>(width_) * sizeof(float);
  const std::uint64_t activations =
      ood::scoring_bytes(width_, hidden_width_, std::min(rows, batch_size_), threads_);
  runtime::MemoryRequirement need =
      session::host_need("scoring", features + rows * bytes_a_row + (device_.is_gpu() ? 0 : activations));
  if (device_.is_gpu()) {
    need.device_bytes =
        features + activations + memory::device_workspace_bytes(memory::DevicePasses::forward);
  }
  return need;
}

}  // namespace molgauge::verbs
