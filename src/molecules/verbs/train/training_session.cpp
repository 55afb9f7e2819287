#include "molecules/verbs/train/training_session.h"

#include <algorithm>
#include <set>

#include "base/numerics/torch/cpu_tensor_memory.h"
#include "molecules/encoding/session/output_requirements.h"
#include "molecules/ood/head/tensor_scoring.h"
#include "molecules/ood/run/run_results.h"
#include "molecules/ood/run/validation_scores.h"

namespace molgauge::verbs {

ood::TrainingSizes training_sizes(const datasets::OodBenchmark& benchmark, std::size_t width) {
  return {.width = width,
          .train_id = benchmark.train_id.size(),
          .train_ood = benchmark.train_ood.size(),
          .validation = benchmark.val_id.size() + benchmark.val_ood.size()};
}

std::uint64_t feature_bytes(const ood::TrainingData& data) {
  return data.train_id.nbytes() + data.train_ood.nbytes() + data.val_id.nbytes() + data.val_ood.nbytes();
}

std::uint64_t feature_bytes(const BaselineData& data) {
  std::uint64_t bytes = 0;
  std::set<const void*> counted;  // selection and calibration may share a tensor, which counts once
  for (const at::Tensor* part : {&data.train.features, &data.selection.features, &data.calibration,
                                 &data.test_id, &data.test_ood, &data.validation_id, &data.validation_ood}) {
    if (part->defined() && counted.insert(part->data_ptr()).second) {
      bytes += part->nbytes();
    }
  }
  return bytes;
}

MemoryPlan plan_classifier(const baselines::ClassifierOptions& options,
                           const baselines::ClassifierSizes& sizes, runtime::BudgetScope& memory,
                           std::uint64_t living_features) {
  const std::uint64_t room = memory.room().host;
  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  const std::uint64_t living = meter.allocated_bytes();
  const runtime::PlanningScope planning;
  return baselines::plan_classifier(options, sizes, room + living_features,
                                    living - std::min(living, living_features));
}

ood::TrainingPlan plan_training(const ood::TrainingOptions& options, const ood::TrainingSizes& sizes,
                                std::size_t threads, runtime::BudgetScope& memory) {
  const memory::AvailableMemory room = memory.room();
  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  const runtime::PlanningScope planning;
  ood::TrainingSizes there = sizes;
  there.is_on_gpu = room.device.has_value();
  return ood::plan_training(
      options, there, threads,
      {.budget_bytes = room.device.value_or(room.host - std::min(room.host, session::kLeftByEncoding)),
       .outside_bytes = meter.allocated_bytes()});
}

void keep_validation_scores(const std::filesystem::path& run, const ood::TrainingData& data,
                            std::size_t batch_size) {
  ood::EnergyHead head(ood::load_best_model(run, static_cast<std::size_t>(data.val_id.size(1))));
  head.to(data.val_id.device());
  ood::Evaluation evaluation = ood::evaluate_head(head, data.val_id, data.val_ood, batch_size);
  ood::write_validation_scores(
      run, ood::calibrate(std::move(evaluation.id_scores), std::move(evaluation.ood_scores)),
      ood::identity_of_best_model(run));
}

}  // namespace molgauge::verbs
