#include "molecules/ood/head/validation.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/numerics/torch/allocator_access.h"
#include "molecules/ood/head/head_loss.h"
#include "molecules/ood/head/head_pass.h"
#include "molecules/ood/head/tensor_scoring.h"

namespace molgauge::ood {

namespace {

/// One batch: its loss, and the energies of its ID rows and then of its OOD rows.
struct Batch {
  LossValue loss;
  std::vector<float> scores;
};

}  // namespace

Validation validate_head(const EnergyHead& head, const at::Tensor& id, const at::Tensor& ood,
                         const LossOptions& options, std::size_t batch_size, std::size_t threads) {
  memory::Recovery recovery(pass_rows(head, 2 * static_cast<std::int64_t>(batch_size), threads).scoring(),
                            torch::allocator_access(id.device()));
  return validate_head(head, id, ood, options, batch_size, threads, recovery);
}

Validation validate_head(const EnergyHead& head, const at::Tensor& id, const at::Tensor& ood,
                         const LossOptions& options, std::size_t batch_size, std::size_t threads,
                         memory::Recovery& recovery) {
  const std::int64_t items = std::min(id.size(0), ood.size(0));
  const auto step = static_cast<std::int64_t>(batch_size);
  train::PassPlan plan;
  plan.threads = threads;
  std::optional<TensorScoring> scoring;
  std::vector<float> id_scores, ood_scores;
  Validation result;
  double batches = 0;
  for (std::int64_t first = 0; first < items; first += step, ++batches) {
    const std::int64_t last = std::min(first + step, items);
    Batch batch;
    train::with_budget_errors(
        recovery, 2 * (last - first), id.device(), plan, [&](const train::PassPlan& fitting) {
          if (!scoring) {
            scoring.emplace(head);
          }
          const at::Tensor energies =
              scoring->energies(at::cat({id.slice(0, first, last), ood.slice(0, first, last)}), fitting);
          batch = {head_loss(energies, last - first, options, threads), to_vector(energies)};
        });
    result.loss += batch.loss.total;
    result.energy_separation += batch.loss.energy_separation();
    const auto middle = batch.scores.begin() + (last - first);
    id_scores.insert(id_scores.end(), batch.scores.begin(), middle);
    ood_scores.insert(ood_scores.end(), middle, batch.scores.end());
  }
  result.loss /= batches;
  result.energy_separation /= batches;
  result.metrics = detection_metrics(std::span<const float>(id_scores), std::span<const float>(ood_scores));
  return result;
}

}  // namespace molgauge::ood
