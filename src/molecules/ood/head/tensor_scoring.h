#pragma once

#include <cstddef>
#include <optional>

#include <ATen/ATen.h>

#include "molecules/ood/head/energy_head.h"
#include "molecules/ood/head/evaluation.h"
#include "molecules/ood/head/head_pass.h"

namespace molgauge::ood {

/// An energy head that scores LibTorch tensors without gradients. It has a copy of the parameters. It uses
/// ScoringHead on the CPU and LibTorch operators on a GPU. On a GPU, the order of sums in the matrix library
/// depends on the number of rows.
///
/// Thread safety: energies() may be called from several threads at once.
class TensorScoring {
 public:
  explicit TensorScoring(const EnergyHead& head);

  /// Energies [n], float32, of features [n, width] on the device of the head.
  at::Tensor energies(const at::Tensor& features) const;
  /// Computes the same energies in shards (base/train/sharded_pass.h). Ignores plan.keep_activations and
  /// plan.precision.
  at::Tensor energies(const at::Tensor& features, const train::PassPlan& plan) const;

 private:
  std::optional<ScoringHead> on_cpu_;
  std::optional<EnergyHead> on_gpu_;
};

/// Does the same as score_features(head, array, ...) in molecules/ood/head/evaluation.h, but on the device of
/// the features.
Scores score_features(const EnergyHead& head, const at::Tensor& features, std::size_t batch_size);

/// Scores all ID rows and all OOD rows. Throws the errors of evaluate_scores().
Evaluation evaluate_head(const EnergyHead& head, const at::Tensor& id, const at::Tensor& ood,
                         std::size_t batch_size);

}  // namespace molgauge::ood
