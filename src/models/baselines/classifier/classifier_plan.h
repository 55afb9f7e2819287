#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headroom/memory_plan.h"
#include "memory/plan/step_model.h"
#include "models/baselines/classifier/classifier.h"
#include "models/baselines/classifier/classifier_pass.h"
#include "models/baselines/classifier/classifier_trainer.h"

namespace headroom::baselines {

/// A training step of the supervised classifier for the planner. It allocates buffers for a batch, and runs a
/// forward and a backward pass over synthetic features.
///
/// A step is one batch, without variants. Batch normalisation and the AUC-margin loss compare all rows of the
/// batch. Gradient accumulation would therefore change the result. Activation checkpointing could save little
/// compared with the features of the molecules.
class ClassifierStep final : public memory::StepModel {
 public:
  /// `data_bytes`: features of all molecules, which are always in memory. `validation_rows`: molecules that
  /// are evaluated after each epoch.
  ClassifierStep(const ClassifierShape& shape, std::uint64_t data_bytes, std::int64_t validation_rows = 0);

  std::string name() const override { return "train a classifier"; }
  std::vector<MemoryContribution> resident(const memory::StepSettings& settings) const override;
  double relative_time(const memory::Cost& cost, const memory::StepSettings& settings) const override;
  void run(std::span<const memory::ItemSize> batch, const memory::StepSettings& settings,
           memory::AllocationTagger& marks) override;

 private:
  std::uint64_t data_bytes_;
  Classifier classifier_;
  ClassifierParameters gradient_;
  std::optional<ClassifierPass> validation_;  ///< the validation pass, which is always in memory
  std::uint64_t validation_bytes_ = 0;
};

/// The sizes of the training data of a classifier.
struct ClassifierSizes {
  std::size_t width = 0, outputs = 1;        ///< width of the features, and number of outputs of the
                                             ///< classifier
  std::size_t training = 0, validation = 0;  ///< molecules
  std::uint64_t feature_bytes = 0;           ///< features of all molecules that are in memory during training
};

/// Plans the training of a classifier. `budget_bytes`: budget of the tensors of features, classifier and
/// steps. `outside_bytes`: tensors that are already allocated and not part of the budget. Runs a few steps on
/// synthetic features. No other thread may create tensors at the same time. `chosen` is empty if the training
/// does not fit, because its steps have no variants.
MemoryPlan plan_classifier(const ClassifierOptions& options, const ClassifierSizes& sizes,
                           std::uint64_t budget_bytes, std::uint64_t outside_bytes);

}  // namespace headroom::baselines
