#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <ATen/ATen.h>

#include "base/train/adamw.h"
#include "base/train/parameters.h"
#include "base/train/step.h"
#include "molecules/ood/head/energy_head.h"
#include "molecules/ood/losses/loss.h"
#include "molecules/ood/run/training_options.h"
#include "molecules/ood/run/training_pairs.h"
#include "molecules/ood/run/training_rows.h"

namespace molgauge::ood {

/// The random generators that the training of a head uses.
struct HeadRandom {
  TrainingPairs pairs;
  at::Generator dropout;
};

/// A batch with equal numbers of ID and OOD rows. The loss covers all pairs of an ID row and an OOD row.
class HeadBatch final : public train::Batch {
 public:
  /// Draws `items` pairs from a copy of `random`. commit() stores the new state in `random`, and the loss in
  /// `loss`. All arguments must outlive the object.
  HeadBatch(const EnergyHead& head, const TrainingRows& rows, std::int64_t items,
            const TrainingOptions& options, HeadRandom& random, LossValue& loss);

  void forward(const train::PassPlan& plan) override;
  void backward(double factor) override;
  void release() override;
  void commit() noexcept override;

 private:
  const EnergyHead& head_;
  const TrainingOptions& options_;
  HeadRandom& random_;
  LossValue& committed_loss_;

  std::int64_t items_;
  TrainingPairs pairs_;    ///< copy of random_.pairs that has drawn this batch
  at::Generator dropout_;  ///< copy of random_.dropout that has drawn the masks
  DropoutMasks masks_;
  std::unique_ptr<RowBatch> rows_;
  LossValue loss_;
};

/// Returns the parameters of a head as the first group, followed by the groups `others`. `learning_rate` is
/// the initial learning rate of the head. It decreases as in the published program (train::falling_rate()).
train::Parameters head_parameters(const EnergyHead& head, double learning_rate, double weight_decay,
                                  std::vector<train::ParameterGroup> others = {});
/// Options for the optimizer of a head.
train::AdamWOptions adamw_options(const TrainingOptions& options);

}  // namespace molgauge::ood
