// `headroom memory plan`.

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "baselines/request_options.h"
#include "core/bytes.h"
#include "core/error.h"
#include "datasets/find_benchmark.h"
#include "datasets/load_benchmark.h"
#include "encoders/registry.h"
#include "engine/baseline_needs.h"
#include "engine/benchmark_molecules.h"
#include "engine/benchmark_selection.h"
#include "engine/encoding_plan.h"
#include "engine/encoding_session.h"
#include "engine/folders.h"
#include "engine/later_needs.h"
#include "engine/memory_session.h"
#include "engine/molecule_input.h"
#include "engine/training_session.h"
#include "engine/verbs.h"
#include "memory/host_memory.h"
#include "memory/planner.h"
#include "ood/run_config.h"
#include "ops/operator_threads.h"
#include "store/weight_store.h"

namespace headroom::verbs {
namespace {

std::unique_ptr<encoders::Encoder> load_encoder(const std::string& name, const std::string& weights,
                                                const ComputeOptions& compute) {
  store::require_intact_weights(weights_folder(weights), name);  // as the verbs do, in the same memory
  encoders::EncoderSettings settings;
  settings.weights = weights;
  settings.device = "cpu";
  if (!compute.precision.empty()) {
    settings.precision = resolve_precision(compute);
  }
  return encoders::make_encoder(name, settings);
}

std::string note_of(const MemorySession& memory, const pipeline::EncodingRoom& room) {
  const std::uint64_t taken = room.host > 0 ? memory.budget() - room.host : memory::resident_bytes();
  return fmt::format("{} for the process; libraries and data take {}", format_bytes(memory.budget()),
                     format_bytes(taken));
}

MemoryPlan plan_encoding(const encoders::Encoder& encoder, const MoleculeList& molecules,
                         MemorySession& memory, const ComputeOptions& compute, std::size_t batch_atoms) {
  const ops::OperatorThreads one(1);  // as the pipeline's workers have it
  std::optional<EncodingModel> model;
  {
    const PlanningScope planning;
    model.emplace(encoder, EncodingModel::Device::cpu);
  }
  const EncodingPlanner planner(*model, molecules);
  memory.foresee(planner.smallest_need(batch_atoms, molecules.records * sizeof(Hash128)));
  const pipeline::EncodingRoom room = memory.room();
  MemoryPlan plan = planner.plan(room, threads_of(compute), batch_atoms).report;
  plan.notes.push_back(note_of(memory, room));
  return plan;
}

/// The smallest budget of the command whose phases are planned, in each of its plans.
std::vector<MemoryPlan> for_command(std::vector<MemoryPlan> plans, const MemorySession& memory) {
  for (MemoryPlan& plan : plans) {
    plan.smallest_process_budget_bytes = memory.smallest_budget();
  }
  return plans;
}

void append(std::vector<chem::MoleculeRecord>& records,
            const std::vector<datasets::BenchmarkMolecule>& molecules) {
  for (const auto& molecule : molecules) {
    chem::MoleculeRecord record;
    record.text = molecule.smiles;
    records.push_back(std::move(record));
  }
}

std::vector<MemoryPlan> plan_verb(const EncodeRequest& request) {
  MemorySession memory(request.compute, c10::kCPU);
  const auto encoder = load_encoder(request.encoder, request.weights, request.compute);
  return for_command({plan_encoding(*encoder, require_molecules(request.molecules, request.smiles_column),
                                    memory, request.compute, request.batch_atoms)},
                     memory);
}

std::vector<MemoryPlan> plan_verb(TrainRequest request) {
  request.benchmark = datasets::find_benchmark(request.benchmark, request.data_path);
  request.compute.quiet = true;
  MemorySession memory(request.compute, c10::kCPU);
  const auto benchmark = benchmark_molecules(request, request.compute);
  const auto encoder = load_encoder(request.encoder, request.weights, request.compute);
  std::vector<chem::MoleculeRecord> records;
  for (const auto* part :
       {&benchmark.train_id, &benchmark.train_ood, &benchmark.val_id, &benchmark.val_ood}) {
    append(records, *part);
  }
  std::vector<MemoryPlan> plans = {
      plan_encoding(*encoder, list_molecules(records), memory, request.compute, /*batch_atoms=*/0)};
  const std::size_t threads = threads_of(request.compute);
  const ops::OperatorThreads operator_threads(static_cast<int>(threads));
  const ood::TrainingOptions options = ood::training_options(request);
  ood::require_effect_on_device(options.frugality, /*on_gpu=*/false);
  plans.push_back(
      plan_training(options, training_sizes(benchmark, encoder->width()), threads, memory).report);
  plans.back().notes.push_back(note_of(memory, memory.room()));
  memory.foresee(need_of_training(plans.back(), /*on_device=*/false, /*host_feature_bytes=*/0));
  return for_command(std::move(plans), memory);
}

std::vector<MemoryPlan> plan_verb(BaselineRequest request) {
  request.benchmark = datasets::find_benchmark(request.benchmark, request.data_path);
  request.compute.quiet = true;
  MemorySession memory(request.compute, c10::kCPU);
  const datasets::OodBenchmark benchmark =
      datasets::load_ood_benchmark(request.benchmark, selection_of(request), request.compute);
  const auto encoder = load_encoder(request.encoder, request.weights, request.compute);
  std::vector<chem::MoleculeRecord> records;
  for (const auto* part : {&benchmark.train_id, &benchmark.val_id, &benchmark.test_id, &benchmark.test_ood}) {
    append(records, *part);
  }
  std::vector<MemoryPlan> plans = {
      plan_encoding(*encoder, list_molecules(records), memory, request.compute, /*batch_atoms=*/0)};
  const ops::OperatorThreads one(1);
  for (MemoryPlan& plan :
       foresee_baselines(request, baselines::methods_of(request), benchmark, encoder->width(), memory)) {
    plan.notes.push_back(note_of(memory, memory.room()));
    plans.push_back(std::move(plan));
  }
  return for_command(std::move(plans), memory);
}

}  // namespace

std::vector<MemoryPlan> plan_memory(const PlanMemoryRequest& request) {
  std::vector<MemoryPlan> plans = std::visit([](const auto& work) { return plan_verb(work); }, request.work);
  for (MemoryPlan& plan : plans) {
    memory::print_plan(plan);
  }
  return plans;
}

}  // namespace headroom::verbs
