// `molgauge memory plan train|baseline`.

#include "molecules/verbs/train/training_plans.h"

#include <utility>

#include "base/core/error.h"
#include "base/numerics/torch/operator_threads.h"
#include "molecules/baselines/run/request_options.h"
#include "molecules/datasets/benchmark_selection.h"
#include "molecules/datasets/find_benchmark.h"
#include "molecules/datasets/load_benchmark.h"
#include "molecules/encoding/session/encoding_phase.h"
#include "molecules/ood/run/run_config.h"
#include "molecules/verbs/baseline/baseline_needs.h"
#include "molecules/verbs/train/encoder_tuning.h"
#include "molecules/verbs/train/own_molecules.h"
#include "molecules/verbs/train/training_needs.h"
#include "molecules/verbs/train/training_session.h"

namespace molgauge::verbs {

namespace {

datasets::OodBenchmark benchmark_of(TrainRequest& request) {
  if (!request.ood.empty()) {
    return draw_own_molecules(request);
  }
  request.benchmark = datasets::find_benchmark(request.benchmark, request.data_path);
  return datasets::benchmark_molecules(request, request.compute);
}

/// Plans `molgauge train` if the last layers of the encoder are trained as well.
std::vector<MemoryPlan> plan_tuning_verb(TrainRequest request, const datasets::OodBenchmark& benchmark,
                                         runtime::BudgetScope& memory) {
  request.compute.precision = session::resolve_precision(request.compute, request.encoder);
  require_tunable(request, request.compute.precision);
  const ood::TrainingOptions options = ood::training_options(request);
  const TuningParts parts = load_tuning_parts(request, options);
  const session::MoleculeList molecules =
      session::list_sides({&benchmark.train_id, &benchmark.train_ood, &benchmark.val_id, &benchmark.val_ood});
  std::vector<MemoryPlan> plans = {
      session::plan_encoding_phase(*parts.frozen, molecules, memory, request.compute, /*batch_atoms=*/0)};
  plans.push_back(plan_tuning(parts, options, benchmark, molecules, plans.front().smallest_budget_bytes,
                              runtime::threads_of(request.compute), memory)
                      .plan.training.report);
  plans.back().notes.push_back(session::budget_note(memory, memory.room()));
  return session::with_total_budget(std::move(plans), memory);
}

}  // namespace

std::vector<MemoryPlan> plan_training_verb(TrainRequest request) {
  request.compute.quiet = true;
  runtime::BudgetScope memory(request.compute, Device{});
  const auto benchmark = benchmark_of(request);
  if (request.finetune_encoder) {
    return plan_tuning_verb(request, benchmark, memory);
  }
  const auto encoder =
      session::encoder_to_plan_with(request.encoder, request.weights, request.compute, request.placement);
  const session::MoleculeList molecules =
      session::list_sides({&benchmark.train_id, &benchmark.train_ood, &benchmark.val_id, &benchmark.val_ood});
  std::vector<MemoryPlan> plans = {
      session::plan_encoding_phase(*encoder, molecules, memory, request.compute, /*batch_atoms=*/0)};
  const std::size_t threads = runtime::threads_of(request.compute);
  const torch::OperatorThreads operator_threads(static_cast<int>(threads));
  const ood::TrainingOptions options = ood::training_options(request);
  train::require_effect_on_device(options.memory_saving, /*on_gpu=*/false);
  plans.push_back(
      plan_training(options, training_sizes(benchmark, encoder->width()), threads, memory).report);
  plans.back().notes.push_back(session::budget_note(memory, memory.room()));
  memory.declare_requirement(need_of_training(plans.back(), /*on_device=*/false, /*host_feature_bytes=*/0));
  return session::with_total_budget(std::move(plans), memory);
}

std::vector<MemoryPlan> plan_training_verb(BaselineRequest request) {
  request.benchmark = datasets::find_benchmark(request.benchmark, request.data_path);
  request.compute.quiet = true;
  baselines::require_without_ood(request);
  runtime::BudgetScope memory(request.compute, Device{});
  const datasets::OodBenchmark benchmark =
      datasets::load_ood_benchmark(request.benchmark, datasets::selection_of(request), request.compute);
  const auto encoder =
      session::encoder_to_plan_with(request.encoder, request.weights, request.compute, request.placement);
  const session::MoleculeList molecules = session::list_sides(
      {&benchmark.train_id, &benchmark.val_id, &benchmark.val_ood, &benchmark.test_id, &benchmark.test_ood});
  std::vector<MemoryPlan> plans = {
      session::plan_encoding_phase(*encoder, molecules, memory, request.compute, /*batch_atoms=*/0)};
  const torch::OperatorThreads one(1);
  for (MemoryPlan& plan :
       foresee_baselines(request, baselines::methods_of(request), benchmark, encoder->width(), memory)) {
    plan.notes.push_back(session::budget_note(memory, memory.room()));
    plans.push_back(std::move(plan));
  }
  return session::with_total_budget(std::move(plans), memory);
}

}  // namespace molgauge::verbs
