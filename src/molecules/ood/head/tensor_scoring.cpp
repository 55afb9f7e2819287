#include "molecules/ood/head/tensor_scoring.h"

#include <algorithm>
#include <limits>

#include <c10/core/GradMode.h>

#include "base/numerics/torch/allocator_access.h"
#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/operator_threads.h"
#include "molecules/ood/head/head_loss.h"

namespace molgauge::ood {
namespace {

/// Returns a boolean tensor [n] that is true for rows with a NaN or an infinity. It checks the minimum and
/// the maximum of each row, because this needs no temporary memory.
at::Tensor not_finite(const at::Tensor& rows) {
  return at::isfinite(rows.amax(1)).logical_and_(at::isfinite(rows.amin(1))).logical_not_();
}

Scores score_on_gpu(const EnergyHead& head, const at::Tensor& features, std::size_t batch_size) {
  const torch::OperatorThreads serial(1);
  memory::Recovery recovery(pass_rows(head, static_cast<std::int64_t>(batch_size), serial.former()).scoring(),
                            torch::allocator_access(features.device()));
  Scores scores;
  scores.energies.reserve(static_cast<std::size_t>(features.size(0)));
  const auto step = static_cast<std::int64_t>(batch_size);
  train::PassPlan plan;
  plan.threads = serial.former();
  std::optional<TensorScoring> scoring;
  for (std::int64_t first = 0; first < features.size(0); first += step) {
    const std::int64_t last = std::min(first + step, features.size(0));
    const at::Tensor batch = features.slice(0, first, last);
    std::vector<float> energies;
    train::with_budget_errors(
        recovery, last - first, features.device(), plan, [&](const train::PassPlan& fitting) {
          if (!scoring) {
            scoring.emplace(head);
          }
          // relu may turn a NaN into 0. The input is therefore checked, not the output.
          const at::Tensor failed = not_finite(batch);
          energies = to_vector(
              scoring->energies(batch, fitting).masked_fill(failed, std::numeric_limits<float>::quiet_NaN()));
        });
    scores.energies.insert(scores.energies.end(), energies.begin(), energies.end());
  }
  scores.memory = recovery.counts();
  return scores;
}

}  // namespace

TensorScoring::TensorScoring(const EnergyHead& head) {
  if (head.parameters()[0].value.is_cpu()) {
    on_cpu_.emplace(head.weights());
  } else {
    on_gpu_.emplace(head.copy());
  }
}

at::Tensor TensorScoring::energies(const at::Tensor& features) const {
  const c10::NoGradGuard no_gradient;
  if (on_gpu_) {
    return on_gpu_->forward(features);
  }
  return torch::as_tensor(on_cpu_->energies(torch::as_array(features.to(at::kFloat).contiguous())));
}

at::Tensor TensorScoring::energies(const at::Tensor& features, const train::PassPlan& plan) const {
  return train::in_shards(features, plan, [&](const at::Tensor& rows) { return energies(rows); });
}

Scores score_features(const EnergyHead& head, const at::Tensor& features, std::size_t batch_size) {
  if (!features.is_cpu()) {
    return score_on_gpu(head, features, batch_size);
  }
  memory::Workload packing;
  packing.name = "scoring";
  memory::Recovery recovery(packing, memory::tensor_access());
  std::optional<ScoringHead> scoring;
  recovery.retry_until_fits("scoring", [&] { scoring.emplace(head.weights()); });
  Scores scores = score_features(*scoring, torch::as_array(features.contiguous()), batch_size,
                                 torch::OperatorThreads(1).former());
  scores.memory.recoveries += recovery.counts().recoveries;
  return scores;
}

Evaluation evaluate_head(const EnergyHead& head, const at::Tensor& id, const at::Tensor& ood,
                         std::size_t batch_size) {
  return evaluate_scores(score_features(head, id, batch_size), score_features(head, ood, batch_size));
}

}  // namespace molgauge::ood
