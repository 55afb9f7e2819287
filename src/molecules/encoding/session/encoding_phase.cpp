#include "molecules/encoding/session/encoding_phase.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/core/text/bytes.h"
#include "base/memory/measure/host_memory.h"
#include "base/runtime/folders.h"
#include "molecules/encoders/registry.h"
#include "molecules/encoding/session/encoding_plan.h"
#include "molecules/encoding/session/encoding_session.h"
#include "molecules/store/lmdb/environment.h"
#include "molecules/store/weights/weight_store.h"

namespace molgauge::session {

std::unique_ptr<encoders::Encoder> encoder_to_plan_with(const std::string& name, const std::string& weights,
                                                        const ComputeOptions& compute,
                                                        const PlacementOptions& placement,
                                                        const encoders::AtomPairChoice& fine) {
  // The commands that encode also check the weights, which needs memory.
  store::require_intact_weights(runtime::weights_folder(weights), name);
  encoders::EncoderSettings settings;
  settings.weights = weights;
  settings.device = "cpu";
  if (!compute.precision.empty()) {
    settings.precision = resolve_precision(compute, name);
  }
  settings.placement = placement;
  settings.fine = fine;
  return encoders::make_encoder(name, settings);
}

std::string budget_note(const runtime::BudgetScope& memory, const memory::AvailableMemory& room) {
  const std::uint64_t taken = room.host > 0 ? memory.budget() - room.host : memory::resident_bytes();
  return fmt::format("{} for the process. Libraries and data take {}", format_bytes(memory.budget()),
                     format_bytes(taken));
}

MemoryPlan plan_encoding_phase(const encoders::Encoder& encoder, const MoleculeList& molecules,
                               runtime::BudgetScope& memory, const ComputeOptions& compute,
                               std::size_t batch_atoms, const EncodingSurroundings& surroundings) {
  const auto& capacity = surroundings.capacity;
  std::optional<EncodingModel> model;
  {
    const runtime::PlanningScope planning;
    model.emplace(encoder, capacity ? EncodingModel::Device::gpu : EncodingModel::Device::cpu);
  }
  batch_atoms = forced_batch_tokens(compute, batch_atoms);
  const EncodingPlanner planner(*model, molecules);
  runtime::MemoryRequirement smallest =
      planner.smallest_need(batch_atoms, molecules.records * sizeof(Hash128) + bytes_of_reading(molecules));
  smallest.host_bytes += surroundings.bytes_beside;
  if (capacity) {
    smallest.device_bytes = 0;  // the plan is for another device, which the budget does not include
  }
  memory.declare_requirement(std::move(smallest));
  memory.declare_store(store::kEnvironmentBytes);
  memory::AvailableMemory room = memory.room();
  room.host -= std::min(room.host, surroundings.bytes_beside);
  if (capacity) {
    const std::uint64_t resident = model->projection().resident_bytes();
    room.device = *capacity - std::min(*capacity, resident);
  }
  const std::size_t workers =
      capacity ? 1 : runtime::threads_of(compute);  // a device computes one batch at a time
  MemoryPlan plan = planner.plan(room, workers, batch_atoms).report;
  plan.notes.push_back(budget_note(memory, room));
  if (capacity) {
    plan.notes.push_back(fmt::format(
        "a device of {}: tensors are counted as on the CPU, plus the workspace of matrix products",
        format_bytes(*capacity)));
  }
  return plan;
}

std::vector<MemoryPlan> with_total_budget(std::vector<MemoryPlan> plans, const runtime::BudgetScope& memory) {
  for (MemoryPlan& plan : plans) {
    plan.smallest_process_budget_bytes = memory.smallest_budget();
  }
  return plans;
}

MoleculeList list_sides(const std::vector<const std::vector<datasets::BenchmarkMolecule>*>& sides) {
  std::vector<chem::MoleculeRecord> records;
  for (const auto* const side : sides) {
    for (const auto& molecule : *side) {
      chem::MoleculeRecord record;
      record.text = molecule.smiles;
      records.push_back(std::move(record));
    }
  }
  return list_molecules(records);
}

}  // namespace molgauge::session
