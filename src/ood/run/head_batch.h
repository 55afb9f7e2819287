#pragma once

#include <cstdint>
#include <optional>

#include <ATen/ATen.h>

#include "ood/head/head_pass.h"
#include "ood/losses/loss.h"
#include "ood/run/training_options.h"
#include "ood/run/training_pairs.h"
#include "train/adamw.h"
#include "train/parameters.h"
#include "train/step.h"

namespace headroom::ood {

/// The random generators of a training of a head.
struct HeadRandom {
  TrainingPairs pairs;
  at::Generator dropout;
};

/// Rows that batches of pairs are gathered from.
struct PairedFeatures {
  at::Tensor rows;           ///< [n + m, width], ID first
  std::int64_t id_rows = 0;  ///< the first of these rows
};

/// A batch of ID and OOD rows, as many of each, with the loss over all their pairs.
class HeadBatch final : public train::Batch {
 public:
  /// Draws `items` pairs. Only commit() changes `random`; it also writes the loss into `loss`. All arguments
  /// outlive the object.
  HeadBatch(const EnergyHead& head, const PairedFeatures& features, std::int64_t items,
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
  at::Tensor features_;
  std::optional<HeadPass> pass_;
  LossValue loss_;
};

/// The parameters of a head as one group, whose rate falls as in the published program. `learning_rate`: the
/// initial rate.
train::Parameters head_parameters(const EnergyHead& head, double learning_rate, double weight_decay);
/// Options of a head's optimiser.
train::AdamWOptions adamw_options(const TrainingOptions& options);

}  // namespace headroom::ood
