#pragma once

#include <string>

#include "encoders/encoder.h"
#include "memory/step_model.h"

namespace headroom::encoders {

/// Encoding a batch, for the planner: made-up molecules of the sizes that are asked for go through the
/// encoder. Encoders may keep workspace between batches, so that the memory is fitted to peaks.
class EncodingStep final : public memory::StepModel {
 public:
  /// The encoder outlives the step.
  explicit EncodingStep(const Encoder& encoder) : encoder_(encoder) {}

  std::string name() const override;
  bool has_fixed_course() const override { return false; }
  std::vector<MemoryContribution> resident(const memory::StepSettings& settings) const override;
  double relative_time(const memory::BatchLoad& load, const memory::StepSettings& settings) const override;
  std::optional<memory::FullSpeed> full_speed() const override;
  void run(std::span<const memory::ItemSize> batch, const memory::StepSettings& settings,
           memory::StepMarks& marks) override;

 private:
  const Encoder& encoder_;
};

/// The size of a molecule that has been made ready for the network.
memory::ItemSize size_of(const FeaturisedMolecule& molecule);

}  // namespace headroom::encoders
