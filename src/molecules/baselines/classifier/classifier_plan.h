#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/memory/plan/step_model.h"
#include "molecules/baselines/classifier/classifier.h"
#include "molecules/baselines/classifier/classifier_pass.h"
#include "molecules/baselines/classifier/classifier_trainer.h"
#include "molgauge/memory_plan.h"

namespace molgauge::baselines {

/// A training step of the supervised classifier for the planner. It allocates buffers for a batch, and runs a
/// forward and a backward pass over synthetic features.
///
/// A step always processes one whole batch. The planner cannot use gradient accumulation, because batch
/// normalisation and the AUC-margin loss depend on all rows of the batch. Activation checkpointing is not
/// used, because activations are small compared with the features of the molecules.
class ClassifierStep final : public memory::StepModel {
 public:
  /// `data_bytes`: bytes that stay allocated, for the features of all molecules and the copies of the
  /// parameters. `validation_rows`: number of molecules that are evaluated after each epoch.
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
  std::optional<ClassifierPass> validation_;  ///< the validation pass, whose buffers are always in memory
  std::uint64_t validation_bytes_ = 0;
};

/// The sizes of the training data of a classifier.
struct ClassifierSizes {
  std::size_t width = 0, outputs = 1;        ///< width of the features, and number of outputs of the
                                             ///< classifier
  std::size_t training = 0, validation = 0;  ///< molecules
  std::uint64_t feature_bytes = 0;           ///< features of all molecules that are in memory during training
};

/// Plans the training of a classifier. `budget_bytes`: budget for the tensors of the features, the classifier
/// and the steps. `outside_bytes`: bytes of tensors that are already allocated and do not count towards the
/// budget. Runs a few steps on synthetic features. No other thread may create tensors at the same time. If
/// the training does not fit in the budget, `chosen` is empty, because the steps cannot be made smaller.
MemoryPlan plan_classifier(const ClassifierOptions& options, const ClassifierSizes& sizes,
                           std::uint64_t budget_bytes, std::uint64_t outside_bytes);

}  // namespace molgauge::baselines
