#pragma once

#include <string>

#include "base/memory/plan/step_model.h"
#include "molecules/encoders/encoder.h"

namespace molgauge::encoders {

/// Encodes a batch of synthetic molecules for the planner. The encoder allocates the same sequence of tensors
/// for every batch. A few small molecules are therefore enough, and take a twentieth of a second.
class EncodingStep final : public memory::StepModel {
 public:
  /// The device whose memory is planned.
  enum class Device { cpu, gpu };
  /// `encoder` must be on the CPU, even for Device::gpu. Encoders of molecules/encoders/torch_registry.h
  /// allocate the same tensors on the CPU as on a GPU. The encoder must outlive the step.
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

}  // namespace molgauge::encoders
