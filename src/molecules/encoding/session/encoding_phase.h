#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/runtime/budget_scope.h"
#include "molecules/datasets/ood_benchmark.h"
#include "molecules/encoders/encoder.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molgauge/conformers.h"
#include "molgauge/memory_plan.h"

/// Plans of the phase "encoding", which is the first phase of every command that encodes molecules.
/// `molgauge memory plan` uses these plans.
namespace molgauge::session {

/// Makes a CPU version of the encoder that a command would load.
std::unique_ptr<encoders::Encoder> encoder_to_plan_with(const std::string& name, const std::string& weights,
                                                        const ComputeOptions& compute,
                                                        const PlacementOptions& placement = {},
                                                        const encoders::AtomPairChoice& fine = {});

/// Facts about other memory and the device that the plan of an encoding must take into account.
struct EncodingSurroundings {
  std::uint64_t bytes_beside = 0;  ///< bytes that the command needs for other work during the encoding
  /// Bytes of the device that holds the tensors of the encoder. If empty, the tensors are on the CPU.
  std::optional<std::uint64_t> capacity = {};
};

/// Plans the encoding of these molecules, and declares the memory of the plan.
MemoryPlan plan_encoding_phase(const encoders::Encoder& encoder, const MoleculeList& molecules,
                               runtime::BudgetScope& memory, const ComputeOptions& compute,
                               std::size_t batch_atoms, const EncodingSurroundings& surroundings = {});

/// Collects the known facts about the molecules in several sides (splits) of a benchmark.
MoleculeList list_sides(const std::vector<const std::vector<datasets::BenchmarkMolecule>*>& sides);

/// A note about the budget of a plan: "... for the process. Libraries and data take ...".
std::string budget_note(const runtime::BudgetScope& memory, const memory::AvailableMemory& room);

/// Writes the smallest budget of the whole command into each of its plans.
std::vector<MemoryPlan> with_total_budget(std::vector<MemoryPlan> plans, const runtime::BudgetScope& memory);

}  // namespace molgauge::session
