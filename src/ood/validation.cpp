#include "ood/validation.h"

#include <algorithm>
#include <vector>

#include "ood/head_loss.h"
#include "ood/head_pass.h"

namespace headroom::ood {

Validation validate_head(const EnergyHead& head, const at::Tensor& id, const at::Tensor& ood,
                         const LossOptions& options, std::size_t batch_size, std::size_t threads) {
  const std::int64_t items = std::min(id.size(0), ood.size(0));
  const auto step = static_cast<std::int64_t>(batch_size);
  std::vector<float> id_scores, ood_scores;
  Validation result;
  double batches = 0;
  for (std::int64_t first = 0; first < items; first += step, ++batches) {
    const std::int64_t last = std::min(first + step, items);
    const at::Tensor energies =
        energies_of(head, at::cat({id.slice(0, first, last), ood.slice(0, first, last)}), threads);
    const LossValue loss = head_loss(energies, last - first, options, threads);
    result.loss += loss.total;
    result.energy_separation += loss.energy_separation();
    const std::vector<float> scores = to_vector(energies);
    const auto middle = scores.begin() + (last - first);
    id_scores.insert(id_scores.end(), scores.begin(), middle);
    ood_scores.insert(ood_scores.end(), middle, scores.end());
  }
  result.loss /= batches;
  result.energy_separation /= batches;
  result.metrics = detection_metrics(std::span<const float>(id_scores), std::span<const float>(ood_scores));
  return result;
}

}  // namespace headroom::ood
