#include "ood/evaluation.h"

#include <algorithm>
#include <limits>

#include "ood/head_loss.h"
#include "ood/head_pass.h"
#include "ood/serial_tensors.h"

namespace headroom::ood {

std::vector<float> score_features(const EnergyHead& head, const at::Tensor& features,
                                  std::size_t batch_size) {
  const SerialTensors serial;
  std::vector<float> scores;
  scores.reserve(static_cast<std::size_t>(features.size(0)));
  const auto step = static_cast<std::int64_t>(batch_size);
  for (std::int64_t first = 0; first < features.size(0); first += step) {
    const std::int64_t last = std::min(first + step, features.size(0));
    const at::Tensor batch = features.slice(0, first, last);
    // relu may turn a NaN into 0, so a failed row is marked by what went in.
    const at::Tensor failed = at::isfinite(batch).all(1).logical_not();
    const std::vector<float> energies =
        to_vector(energies_of(head, batch, serial.threads())
                      .masked_fill(failed, std::numeric_limits<float>::quiet_NaN()));
    scores.insert(scores.end(), energies.begin(), energies.end());
  }
  return scores;
}

Evaluation evaluate_head(const EnergyHead& head, const at::Tensor& id, const at::Tensor& ood,
                         std::size_t batch_size) {
  Evaluation evaluation;
  evaluation.id_scores = score_features(head, id, batch_size);
  evaluation.ood_scores = score_features(head, ood, batch_size);
  const std::span<const float> id_scores(evaluation.id_scores), ood_scores(evaluation.ood_scores);
  evaluation.metrics = detection_metrics(id_scores, ood_scores);
  evaluation.id = summarize(id_scores);
  evaluation.ood = summarize(ood_scores);
  return evaluation;
}

}  // namespace headroom::ood
