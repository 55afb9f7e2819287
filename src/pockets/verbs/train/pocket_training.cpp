#include "pockets/verbs/train/pocket_training.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/memory/plan/planner.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "base/numerics/torch/operator_threads.h"
#include "molecules/encoding/session/encoding_phase.h"
#include "pockets/graphs/normalization.h"
#include "pockets/training/request_options.h"
#include "pockets/verbs/pocket_rows.h"

namespace molgauge::verbs {
namespace {

pocket::TrainingOptions options_of(const PocketTrainRequest& request, std::int64_t width,
                                   std::size_t processes) {
  pocket::TrainingOptions options = pocket::training_options(request, width);
  options.processes = processes;
  options.device = parse_pocket_device(request.compute.device);
  train::require_effect_on_device(options.memory_saving, options.device.is_gpu());
  return options;
}

/// Throws if there are more processes than pockets in a step, because some processes would only wait.
void require_pockets_for_all(const pocket::TrainingOptions& options, std::size_t pockets) {
  const std::size_t step = std::min(options.batch_size * options.accumulation_steps, pockets);
  if (options.processes > step) {
    throw UsageError(
        fmt::format("{} processes cannot share the {} pockets of a step. Start fewer, or raise --batch-size "
                    "or --accumulation-steps",
                    options.processes, step));
  }
}

/// Computes the moments from the training part only. Validation and test pockets must not affect the
/// features.
pocket::FeatureNormalization normalization_of(const pocket::GraphSet& graphs,
                                              const std::vector<pocket::TrainingPocket>& train) {
  pocket::FeatureMoments moments;
  for (const pocket::TrainingPocket& pocket : train) {
    moments.add(pocket::FeatureMoments::of(graphs.load_measured(pocket.graph).features));
  }
  return moments.normalization();
}

}  // namespace

PocketTraining::PocketTraining(const PocketTrainRequest& request, std::size_t processes)
    : graphs_(pocket::GraphSet::open(request.graphs)),
      ligands_(io::read_keyed_rows(request.ligands)),
      options_(options_of(request, ligands_.width, processes)),
      selected_(pocket::select_pockets(request, graphs_, ligands_)),
      data_{&graphs_, normalization_of(graphs_, selected_.train), &ligands_, selected_.train,
            selected_.validation} {
  require_pockets_for_all(options_, data_.train.size());
}

const MemoryPlan& PocketTraining::plan(runtime::BudgetScope& memory, std::size_t threads) {
  const memory::AvailableMemory room = memory.room();
  const std::uint64_t budget =
      room.device ? *room.device : room.host + torch::cpu_tensor_memory().allocated_bytes();
  {
    const runtime::PlanningScope planning;
    plan_ = pocket::plan_training(data_, options_, threads, budget);
  }
  const std::uint64_t needed = memory::remaining_bytes(plan_.report, 0);
  memory.declare_requirement({.what = "training a pocket encoder",
                              .host_bytes = room.device ? plan_.host_overhead_bytes : needed,
                              .device_bytes = room.device ? needed : 0});
  options_.strategy = plan_.strategy;
  return plan_.report;
}

std::vector<MemoryPlan> plan_training_verb(PocketTrainRequest request) {
  request.compute.quiet = true;
  pocket::training_options(request, 1);  // refuses wrong options before any file is read
  runtime::BudgetScope memory(request.compute, parse_pocket_device(request.compute.device));
  const std::size_t threads = runtime::threads_of(request.compute);
  const torch::OperatorThreads operator_threads(static_cast<int>(threads));
  PocketTraining training(request, /*processes=*/1);
  return session::with_total_budget({training.plan(memory, threads)}, memory);
}

}  // namespace molgauge::verbs
