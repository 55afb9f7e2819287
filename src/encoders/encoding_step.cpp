#include "encoders/encoding_step.h"

#include <memory>
#include <optional>

#include <fmt/format.h>

namespace headroom::encoders {
namespace {

/// What the many operators of a batch cost however small it is, in atoms.
constexpr double kBatchCostInAtoms = 100;

/// What cuBLAS keeps for itself: 32 MiB on Hopper, 8 MiB before, and as much as that again for cuBLASLt.
constexpr std::uint64_t kGpuWorkspaceBytes = std::uint64_t{64} << 20;

}  // namespace

std::string EncodingStep::name() const { return "encode with " + encoder_.identity().encoder; }

std::vector<memory::ItemSize> EncodingStep::probe_items() const {
  // Each has enough edges for all the kinds of edges that there are: they take memory once a batch.
  return {{12, 32}, {13, 36}, {14, 34}, {16, 38}, {17, 44}, {19, 40}};
}

std::vector<MemoryContribution> EncodingStep::resident(const memory::StepSettings&) const {
  if (device_ == Device::cpu) {
    return {{"parameters", encoder_.parameter_bytes()}};
  }
  return {{"parameters", encoder_.parameter_bytes()}, {"workspace of matrix products", kGpuWorkspaceBytes}};
}

double EncodingStep::relative_time(const memory::BatchLoad& load, const memory::StepSettings&) const {
  return kBatchCostInAtoms + static_cast<double>(load.atoms);
}

std::optional<memory::AtomLimit> EncodingStep::full_speed() const {
  const std::size_t atoms = encoder_.full_speed_atoms();
  if (atoms == 0 || device_ == Device::gpu) {
    return std::nullopt;
  }
  return memory::AtomLimit{
      atoms, fmt::format("speed: batches of more than {} atoms are no faster on this processor", atoms)};
}

void EncodingStep::run(std::span<const memory::ItemSize> batch, const memory::StepSettings&,
                       memory::StepMarks& marks) {
  marks.allocating(memory::Contributor::activations);
  std::vector<std::unique_ptr<FeaturisedMolecule>> molecules;
  std::vector<const FeaturisedMolecule*> pointers;
  for (const memory::ItemSize& item : batch) {
    molecules.push_back(encoder_.stand_in(item.atoms, item.edges));
    if (!molecules.back()) {
      return;  // takes no tensors
    }
    pointers.push_back(molecules.back().get());
  }
  std::vector<float> rows(pointers.size() * encoder_.width());
  encoder_.encode(pointers, rows);
}

}  // namespace headroom::encoders
