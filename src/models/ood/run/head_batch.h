#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <ATen/ATen.h>

#include "models/ood/head/energy_head.h"
#include "models/ood/losses/loss.h"
#include "models/ood/run/training_options.h"
#include "models/ood/run/training_pairs.h"
#include "models/ood/run/training_rows.h"
#include "models/train/adamw.h"
#include "models/train/parameters.h"
#include "models/train/step.h"

namespace headroom::ood {

/// The random generators of a training of a head.
struct HeadRandom {
  TrainingPairs pairs;
  at::Generator dropout;
};

/// A batch of ID and OOD rows, as many of each, with the loss over all their pairs.
class HeadBatch final : public train::Batch {
 public:
  /// Draws `items` pairs. Only commit() changes `random`. It also writes the loss into `loss`. All arguments
  /// outlive the object.
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
  TrainingPairs pairs_;    ///< the next state of `random`
  at::Generator dropout_;  ///< the next state of `random`
  DropoutMasks masks_;
  std::unique_ptr<RowBatch> rows_;
  LossValue loss_;
};

/// The parameters of a head as a parameter group. Its learning rate falls as in the published program. It
/// comes before the other groups. `learning_rate`: the initial rate.
train::Parameters head_parameters(const EnergyHead& head, double learning_rate, double weight_decay,
                                  std::vector<train::ParameterGroup> others = {});
/// Options of a head's optimiser.
train::AdamWOptions adamw_options(const TrainingOptions& options);

}  // namespace headroom::ood
