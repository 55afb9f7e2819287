#include "molecules/encoders/encoding_step.h"

#include <memory>
#include <optional>

#include <fmt/format.h>

#include "base/memory/plan/device_workspace.h"

namespace molgauge::encoders {
namespace {

/// The fixed cost of a batch, expressed as the number of tokens that take as long to compute. It is the cost
/// of calling many operators.
constexpr double kBatchCostInTokens = 100;

}  // namespace

std::string EncodingStep::name() const { return "encode with " + encoder_.identity().encoder; }

std::vector<memory::ItemSize> EncodingStep::probe_items() const {
  // Each molecule has enough edges to contain every kind of edge. A batch stores the features of each kind
  // once, so they need equal memory in all batches.
  constexpr MoleculeSize kMolecules[] = {{12, 32}, {13, 36}, {14, 34}, {16, 38}, {17, 44}, {19, 40}};
  std::vector<memory::ItemSize> items;
  for (const MoleculeSize& molecule : kMolecules) {
    items.push_back(encoder_.estimate(molecule));
  }
  return items;
}

memory::Cost EncodingStep::cost(std::span<const memory::ItemSize> batch) const {
  return encoder_.cost(batch);
}

std::vector<MemoryContribution> EncodingStep::resident(const memory::StepSettings&) const {
  if (device_ == Device::cpu) {
    return {{"parameters", encoder_.parameter_bytes()}};
  }
  return {{"parameters", encoder_.parameter_bytes()},
          {"workspace of matrix products", memory::device_workspace_bytes(memory::DevicePasses::forward)}};
}

double EncodingStep::relative_time(const memory::Cost& cost, const memory::StepSettings&) const {
  return kBatchCostInTokens + encoder_.time_in_tokens(cost);
}

std::optional<memory::TokenLimit> EncodingStep::full_speed() const {
  const std::size_t tokens = encoder_.full_speed_tokens();
  if (tokens == 0 || device_ == Device::gpu) {
    return std::nullopt;
  }
  return memory::TokenLimit{
      tokens, fmt::format("speed: batches of more than {} atoms are not faster on this processor", tokens)};
}

void EncodingStep::run(std::span<const memory::ItemSize> batch, const memory::StepSettings&,
                       memory::AllocationTagger& marks) {
  marks.allocating(memory::AllocationTag::activations);
  std::vector<std::unique_ptr<FeaturisedMolecule>> molecules;
  std::vector<const FeaturisedMolecule*> pointers;
  for (const memory::ItemSize& item : batch) {
    molecules.push_back(encoder_.stand_in(item));
    if (!molecules.back()) {
      return;  // no tensors are allocated
    }
    pointers.push_back(molecules.back().get());
  }
  std::vector<float> rows(pointers.size() * encoder_.width());
  encoder_.encode(pointers, rows);
}

}  // namespace molgauge::encoders
