// `headroom memory plan train|baseline`.

#include "session/training/training_plans.h"

#include <utility>

#include "baselines/run/request_options.h"
#include "core/error.h"
#include "datasets/find_benchmark.h"
#include "datasets/load_benchmark.h"
#include "ood/run/run_config.h"
#include "session/baselines/baseline_needs.h"
#include "session/encoding/encoding_phase.h"
#include "session/encoding/own_molecules.h"
#include "session/training/benchmark_selection.h"
#include "session/training/training_needs.h"
#include "session/training/training_session.h"
#include "torch/operator_threads.h"

namespace headroom::session {

namespace {

datasets::OodBenchmark benchmark_of(TrainRequest& request) {
  if (!request.ood.empty()) {
    return draw_own_molecules(request);
  }
  request.benchmark = datasets::find_benchmark(request.benchmark, request.data_path);
  return benchmark_molecules(request, request.compute);
}

}  // namespace

std::vector<MemoryPlan> plan_training_verb(TrainRequest request) {
  if (request.finetune_encoder) {
    throw UsageError(
        "memory plan has no plan of --finetune-encoder: `headroom train` makes it when it has loaded the "
        "encoder, writes it into training_stats.json, and refuses what does not fit before any work");
  }
  request.compute.quiet = true;
  MemorySession memory(request.compute, Device{});
  const auto benchmark = benchmark_of(request);
  const auto encoder = encoder_to_plan_with(request.encoder, request.weights, request.compute);
  const MoleculeList molecules =
      list_sides({&benchmark.train_id, &benchmark.train_ood, &benchmark.val_id, &benchmark.val_ood});
  std::vector<MemoryPlan> plans = {
      plan_encoding_phase(*encoder, molecules, memory, request.compute, /*batch_atoms=*/0)};
  const std::size_t threads = threads_of(request.compute);
  const torch::OperatorThreads operator_threads(static_cast<int>(threads));
  const ood::TrainingOptions options = ood::training_options(request);
  train::require_effect_on_device(options.frugality, /*on_gpu=*/false);
  plans.push_back(
      plan_training(options, training_sizes(benchmark, encoder->width()), threads, memory).report);
  plans.back().notes.push_back(note_of(memory, memory.room()));
  memory.foresee(need_of_training(plans.back(), /*on_device=*/false, /*host_feature_bytes=*/0));
  return for_command(std::move(plans), memory);
}

std::vector<MemoryPlan> plan_training_verb(BaselineRequest request) {
  request.benchmark = datasets::find_benchmark(request.benchmark, request.data_path);
  request.compute.quiet = true;
  MemorySession memory(request.compute, Device{});
  const datasets::OodBenchmark benchmark =
      datasets::load_ood_benchmark(request.benchmark, selection_of(request), request.compute);
  const auto encoder = encoder_to_plan_with(request.encoder, request.weights, request.compute);
  const MoleculeList molecules =
      list_sides({&benchmark.train_id, &benchmark.val_id, &benchmark.test_id, &benchmark.test_ood});
  std::vector<MemoryPlan> plans = {
      plan_encoding_phase(*encoder, molecules, memory, request.compute, /*batch_atoms=*/0)};
  const torch::OperatorThreads one(1);
  for (MemoryPlan& plan :
       foresee_baselines(request, baselines::methods_of(request), benchmark, encoder->width(), memory)) {
    plan.notes.push_back(note_of(memory, memory.room()));
    plans.push_back(std::move(plan));
  }
  return for_command(std::move(plans), memory);
}

}  // namespace headroom::session
