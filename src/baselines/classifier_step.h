#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "baselines/classifier.h"
#include "baselines/classifier_pass.h"
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

}  // namespace headroom::baselines
