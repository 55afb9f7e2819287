#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "baselines/classifier/classifier.h"
#include "baselines/classifier/classifier_pass.h"
#include "baselines/classifier/classifier_trainer.h"
#include "headroom/memory_plan.h"
#include "memory/plan/step_model.h"

namespace headroom::baselines {

/// A step of training the supervised classifier, for the planner: buffers for a batch of so many rows,
/// forward and backward pass over made-up features.
///
/// A step is one batch, in one way. Batch normalisation and the AUC-margin loss compare all of its rows, so
/// that accumulation would change the result; and what checkpointing could save is a small part of what the
/// features of the molecules take.
class ClassifierStep final : public memory::StepModel {
 public:
  /// `data_bytes`: features of all molecules, which are there all the time. `validation_rows`: molecules that
  /// are looked at after each epoch.
  ClassifierStep(const ClassifierShape& shape, std::uint64_t data_bytes, std::int64_t validation_rows = 0);

  std::string name() const override { return "train a classifier"; }
  std::vector<MemoryContribution> resident(const memory::StepSettings& settings) const override;
  double relative_time(const memory::Cost& cost, const memory::StepSettings& settings) const override;
  void run(std::span<const memory::ItemSize> batch, const memory::StepSettings& settings,
           memory::StepMarks& marks) override;

 private:
  std::uint64_t data_bytes_;
  Classifier classifier_;
  ClassifierParameters gradient_;
  std::optional<ClassifierPass> validation_;  ///< lives all the time
  std::uint64_t validation_bytes_ = 0;
};

/// What a classifier is trained on.
struct ClassifierSizes {
  std::size_t width = 0, outputs = 1;        ///< of the features; of the classifier
  std::size_t training = 0, validation = 0;  ///< molecules
  std::uint64_t feature_bytes = 0;           ///< of all molecules that are in memory while it is trained
};

/// Plans the training of a classifier, in tensors: `budget_bytes` for features, classifier and steps,
/// `outside_bytes` live already and are no part of that. Runs a few steps on made-up features; no other
/// thread makes tensors meanwhile. `chosen` is empty where it does not fit: its steps are run in one way
/// alone.
MemoryPlan plan_classifier(const ClassifierOptions& options, const ClassifierSizes& sizes,
                           std::uint64_t budget_bytes, std::uint64_t outside_bytes);

}  // namespace headroom::baselines
