#include "ood/evaluation.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "ood/head_loss.h"
#include "ood/head_memory.h"
#include "ood/serial_tensors.h"
#include "ops/allocator_access.h"

namespace headroom::ood {

namespace {

memory::Workload scoring_of(const EnergyHead& head, std::size_t batch_size, std::size_t threads) {
  return PassRows(head, static_cast<std::int64_t>(batch_size), threads).scoring();
}

/// [n]: whether a row has a NaN or an infinity. Extremes of a row take no memory but their own.
at::Tensor not_finite(const at::Tensor& rows) {
  return at::isfinite(rows.amax(1)).logical_and_(at::isfinite(rows.amin(1))).logical_not_();
}

std::vector<float> score(const EnergyHead& head, const at::Tensor& features, std::size_t batch_size,
                         std::size_t threads, memory::Recovery& recovery) {
  std::vector<float> scores;
  scores.reserve(static_cast<std::size_t>(features.size(0)));
  const auto step = static_cast<std::int64_t>(batch_size);
  PassPlan plan;
  plan.threads = threads;
  std::optional<ScoringHead> scoring;
  for (std::int64_t first = 0; first < features.size(0); first += step) {
    const std::int64_t last = std::min(first + step, features.size(0));
    const at::Tensor batch = features.slice(0, first, last);
    std::vector<float> energies;
    within_memory(recovery, last - first, features.device(), plan, [&](const PassPlan& fitting) {
      if (!scoring) {
        scoring.emplace(head);
      }
      // relu may turn a NaN into 0, so a failed row is marked by what went in.
      const at::Tensor failed = not_finite(batch);
      energies = to_vector(
          energies_of(*scoring, batch, fitting).masked_fill(failed, std::numeric_limits<float>::quiet_NaN()));
    });
    scores.insert(scores.end(), energies.begin(), energies.end());
  }
  return scores;
}

}  // namespace

std::vector<float> score_features(const EnergyHead& head, const at::Tensor& features,
                                  std::size_t batch_size) {
  const SerialTensors serial;
  memory::Recovery recovery(scoring_of(head, batch_size, serial.threads()),
                            ops::allocator_access(features.device()));
  return score(head, features, batch_size, serial.threads(), recovery);
}

Evaluation evaluate_head(const EnergyHead& head, const at::Tensor& id, const at::Tensor& ood,
                         std::size_t batch_size) {
  const SerialTensors serial;
  memory::Recovery recovery(scoring_of(head, batch_size, serial.threads()),
                            ops::allocator_access(id.device()));
  Evaluation evaluation;
  evaluation.id_scores = score(head, id, batch_size, serial.threads(), recovery);
  evaluation.ood_scores = score(head, ood, batch_size, serial.threads(), recovery);
  evaluation.memory = recovery.counts();
  const std::span<const float> id_scores(evaluation.id_scores), ood_scores(evaluation.ood_scores);
  evaluation.metrics = detection_metrics(id_scores, ood_scores);
  evaluation.id = summarize(id_scores);
  evaluation.ood = summarize(ood_scores);
  return evaluation;
}

}  // namespace headroom::ood
