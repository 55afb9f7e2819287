#pragma once

#include <string>

#include "memory/plan/step_model.h"
#include "models/encoders/encoder.h"

namespace headroom::encoders {

/// Encoding a batch, for the planner: made-up molecules of the sizes that are asked for go through the
/// encoder. It makes the same tensors in the same order whatever the batch, so that a few small molecules
/// tell everything, within a twentieth of a second.
class EncodingStep final : public memory::StepModel {
 public:
  /// The device whose memory is to be planned.
  enum class Device { cpu, gpu };
  /// `encoder` is on the CPU, also for plans of a GPU. Encoders of models/encoders/torch_registry.h allocate
  /// the same tensors there as on a GPU. It outlives the step.
  explicit EncodingStep(const Encoder& encoder, Device device = Device::cpu)
      : encoder_(encoder), device_(device) {}

  std::string name() const override;
  std::vector<memory::ItemSize> probe_items() const override;
  memory::Cost cost(std::span<const memory::ItemSize> batch) const override;
  std::vector<MemoryContribution> resident(const memory::StepSettings& settings) const override;
  double relative_time(const memory::Cost& cost, const memory::StepSettings& settings) const override;
  std::optional<memory::TokenLimit> full_speed() const override;
  void run(std::span<const memory::ItemSize> batch, const memory::StepSettings& settings,
           memory::AllocationTagger& marks) override;

 private:
  const Encoder& encoder_;
  Device device_;
};

}  // namespace headroom::encoders
