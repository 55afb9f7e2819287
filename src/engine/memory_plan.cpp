// `headroom memory plan`.

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/bytes.h"
#include "core/error.h"
#include "core/worker_group.h"
#include "datasets/find_benchmark.h"
#include "encoders/registry.h"
#include "engine/benchmark_molecules.h"
#include "engine/encoding_plan.h"
#include "engine/memory_session.h"
#include "engine/molecule_input.h"
#include "engine/verbs.h"
#include "memory/planner.h"
#include "ood/head_training_step.h"
#include "ood/run_config.h"
#include "ops/cpu_tensor_memory.h"
#include "ops/operator_threads.h"

namespace headroom::verbs {
namespace {

std::size_t threads_of(const ComputeOptions& compute) {
  return compute.threads > 0 ? compute.threads : available_processors();
}

std::unique_ptr<encoders::Encoder> load_encoder(const std::string& name, const std::string& weights) {
  encoders::EncoderSettings settings;
  settings.weights = weights;
  settings.device = "cpu";
  return encoders::make_encoder(name, settings);
}

std::string note_of(const MemorySession& memory, const pipeline::EncodingRoom& room) {
  return fmt::format("{} for the process, of which libraries and data take {}", format_bytes(memory.budget()),
                     format_bytes(memory.budget() - std::min(memory.budget(), room.host)));
}

MemoryPlan plan_encoding(const encoders::Encoder& encoder, MoleculeList molecules, MemorySession& memory,
                         const ComputeOptions& compute, std::size_t batch_atoms) {
  const ops::OperatorThreads one(1);  // as the pipeline's workers have it
  EncodingModel model(encoder, EncodingModel::Device::cpu);
  const EncodingPlanner planner(model, std::move(molecules));
  const pipeline::EncodingRoom room = memory.room();
  MemoryPlan plan = planner.plan(room, threads_of(compute), batch_atoms).steps.report;
  plan.notes.push_back(note_of(memory, room));
  return plan;
}

void append(std::vector<chem::MoleculeRecord>& records,
            const std::vector<datasets::BenchmarkMolecule>& molecules) {
  for (const auto& molecule : molecules) {
    chem::MoleculeRecord record;
    record.text = molecule.smiles;
    records.push_back(std::move(record));
  }
}

MemoryPlan plan_training(const TrainRequest& request, const datasets::OodBenchmark& benchmark,
                         std::size_t width, MemorySession& memory) {
  const std::size_t threads = threads_of(request.compute);
  const ops::OperatorThreads operator_threads(static_cast<int>(threads));
  const std::uint64_t outside = ops::cpu_tensor_memory().allocated_bytes();
  const std::size_t train = benchmark.train_id.size() + benchmark.train_ood.size();
  const std::size_t validation = benchmark.val_id.size() + benchmark.val_ood.size();
  // The trainer has the training rows of both sides in one tensor besides.
  const std::uint64_t data_bytes = (2 * train + validation) * width * sizeof(float);
  ood::HeadTrainingStep step(static_cast<std::int64_t>(width), ood::training_options(request), data_bytes,
                             threads);
  memory::PlanningRequest planning;
  planning.items.resize(std::min(benchmark.train_id.size(), benchmark.train_ood.size()));
  planning.items_name = "pairs of molecules";
  planning.effective_batch = std::min(request.batch_size, planning.items.size());
  const pipeline::EncodingRoom room = memory.room();
  planning.budget_bytes = room.host + ops::cpu_tensor_memory().allocated_bytes() - outside;
  planning.outside_bytes = outside;
  MemoryPlan plan = memory::plan_steps(step, ops::cpu_tensor_memory(), planning).report;
  plan.notes.push_back(note_of(memory, room));
  return plan;
}

std::vector<MemoryPlan> plan_encode_verb(const EncodeRequest& request) {
  MemorySession memory(request.compute, c10::kCPU);
  const auto encoder = load_encoder(request.encoder, request.weights);
  return {plan_encoding(*encoder, list_molecules(request.molecules, request.smiles_column), memory,
                        request.compute, request.batch_atoms)};
}

std::vector<MemoryPlan> plan_train_verb(TrainRequest request) {
  request.benchmark = datasets::find_benchmark(request.benchmark, request.data_path);
  request.compute.quiet = true;
  MemorySession memory(request.compute, c10::kCPU);
  const auto benchmark = benchmark_molecules(request, request.compute);
  const auto encoder = load_encoder(request.encoder, request.weights);
  std::vector<chem::MoleculeRecord> records;
  for (const auto* part :
       {&benchmark.train_id, &benchmark.train_ood, &benchmark.val_id, &benchmark.val_ood}) {
    append(records, *part);
  }
  return {plan_encoding(*encoder, list_molecules(records), memory, request.compute, /*batch_atoms=*/0),
          plan_training(request, benchmark, encoder->width(), memory)};
}

}  // namespace

std::vector<MemoryPlan> plan_memory(const PlanMemoryRequest& request) {
  const auto* const encode = std::get_if<EncodeRequest>(&request.work);
  std::vector<MemoryPlan> plans =
      encode != nullptr ? plan_encode_verb(*encode) : plan_train_verb(std::get<TrainRequest>(request.work));
  for (MemoryPlan& plan : plans) {
    memory::print_plan(plan);
  }
  return plans;
}

}  // namespace headroom::verbs
