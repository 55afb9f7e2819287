#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "baselines/classifier.h"
#include "memory/step_model.h"

namespace headroom::baselines {

/// A step of training the supervised classifier, for the planner: buffers for a batch of so many rows,
/// forward and backward pass over made-up features.
class ClassifierStep final : public memory::StepModel {
 public:
  /// `data_bytes`: features of all molecules, which are there all the time.
  ClassifierStep(const ClassifierShape& shape, std::uint64_t data_bytes);

  std::string name() const override { return "train a classifier"; }
  std::vector<MemoryContribution> resident(const memory::StepSettings& settings) const override;
  double relative_time(const memory::BatchLoad& load, const memory::StepSettings& settings) const override;
  void run(std::span<const memory::ItemSize> batch, const memory::StepSettings& settings,
           memory::StepMarks& marks) override;

 private:
  std::uint64_t data_bytes_;
  Classifier classifier_;
  ClassifierParameters gradient_;
};

}  // namespace headroom::baselines
