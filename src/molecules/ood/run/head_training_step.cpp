#include "molecules/ood/run/head_training_step.h"

#include <algorithm>

#include <ATen/CPUGeneratorImpl.h>

#include "base/numerics/torch/cpu_tensor_memory.h"
#include "base/train/model_step.h"
#include "molecules/ood/head/head_loss.h"
#include "molecules/ood/head/head_pass.h"
#include "molecules/ood/head/tensor_scoring.h"
#include "molecules/ood/run/head_batch.h"

namespace molgauge::ood {
namespace {

constexpr std::int64_t kMadeUpRows = 16;
/// The fixed cost of a step, in items.
constexpr double kStepCostInItems = 20;

}  // namespace

HeadTrainingStep::HeadTrainingStep(std::int64_t feature_width, const TrainingOptions& options,
                                   std::uint64_t data_bytes, std::size_t validation_pairs,
                                   std::size_t threads, std::uint64_t workspace_bytes)
    : options_(options),
      data_bytes_(data_bytes),
      workspace_bytes_(workspace_bytes),
      validation_pairs_(static_cast<std::int64_t>(validation_pairs)),
      threads_(threads),
      head_(feature_width, static_cast<std::int64_t>(options.hidden_dim), options.seed),
      // The memory does not depend on the learning rate. With a rate of 0, the probes cannot diverge.
      parameters_(head_parameters(head_, /*learning_rate=*/0, options.weight_decay)),
      optimizer_(parameters_, adamw_options(options)),
      dropout_(at::detail::createCPUGenerator(options.seed)),
      features_(at::full({kMadeUpRows, feature_width}, 0.5)) {}

memory::Cost HeadTrainingStep::cost(std::span<const memory::ItemSize> batch) const {
  const std::uint64_t rows = 2 * batch.size();
  return {.items = batch.size(),
          .tokens = rows,
          .pairs = static_cast<std::uint64_t>(train::shard_count(static_cast<std::int64_t>(rows), at::kCPU)),
          .padded = rows};
}

std::vector<MemoryContribution> HeadTrainingStep::resident(const memory::StepSettings&) const {
  std::vector<MemoryContribution> resident = {{"features", data_bytes_},
                                              {"parameters", parameters_.bytes()},
                                              {"optimizer state", optimizer_.state_bytes()},
                                              {"gradients", parameters_.trained_bytes()}};
  if (workspace_bytes_ > 0) {
    resident.push_back({"workspace of matrix products", workspace_bytes_});
  }
  return resident;
}

std::vector<memory::StepSettings> HeadTrainingStep::variants() const {
  const train::MemorySavingOptions& memory_saving = options_.memory_saving;
  memory::StepSettings settings;
  settings.precision =
      memory_saving.autocast == Autocast::off ? memory::Precision::fp32 : memory::Precision::bf16;
  const std::size_t parts = batch_parts();
  if (memory_saving.gradient_accumulation > 0) {
    settings.checkpointing = parts > 1;
    settings.parts_at_once =
        parts > 1 ? (parts + memory_saving.gradient_accumulation - 1) / memory_saving.gradient_accumulation
                  : 0;
    return {settings};
  }
  if (memory_saving.is_conservative && parts > 1 &&
      memory_saving.checkpoint_activations != Checkpointing::off) {
    settings.checkpointing = true;
    settings.parts_at_once = 1;
    return {settings};
  }
  std::vector<memory::StepSettings> variants;
  if (memory_saving.checkpoint_activations != Checkpointing::on) {
    variants.push_back(settings);
  }
  if (memory_saving.checkpoint_activations != Checkpointing::off && parts > 1) {
    settings.checkpointing = true;
    variants.push_back(settings);
    if (threads_ > 1 && memory_saving.checkpoint_activations == Checkpointing::automatic) {
      settings.parts_at_once = 1;
      variants.push_back(settings);
    }
  }
  return variants;
}

std::size_t HeadTrainingStep::batch_parts() const {
  return static_cast<std::size_t>(
      train::shard_count(2 * static_cast<std::int64_t>(options_.batch_size), at::kCPU));
}

std::size_t HeadTrainingStep::side_by_side(std::size_t shards, const memory::StepSettings& settings) const {
  const std::size_t together = std::max<std::size_t>(1, std::min(threads_, shards));
  return settings.parts_at_once > 0 ? std::min(together, settings.parts_at_once) : together;
}

double HeadTrainingStep::relative_time(const memory::Cost& cost, const memory::StepSettings& settings) const {
  const double recomputing = settings.checkpointing ? train::kTimeOfCheckpointing : 1.0;
  const auto together = static_cast<double>(side_by_side(cost.pairs, settings));
  return kStepCostInItems + recomputing * static_cast<double>(cost.items) / together;
}

double HeadTrainingStep::serialization_factor(const memory::Cost& cost,
                                              const memory::StepSettings& settings) const {
  return static_cast<double>(side_by_side(cost.pairs, settings));
}

train::PassPlan HeadTrainingStep::one_thread(const memory::StepSettings& settings) const {
  train::PassPlan plan;
  plan.keep_activations = !settings.checkpointing;
  plan.shards_at_once = static_cast<std::int64_t>(settings.parts_at_once);
  plan.precision = settings.precision == memory::Precision::bf16 ? at::kBFloat16 : at::kFloat;
  return plan;
}

HeadTrainingStep::ShardBytes HeadTrainingStep::measure_shard(const memory::StepSettings& settings) {
  const auto batch_rows = 2 * static_cast<std::int64_t>(options_.batch_size);
  const std::int64_t shards = train::shard_count(batch_rows, at::kCPU);
  const std::int64_t count = (batch_rows + shards - 1) / shards;
  train::PassPlan plan = one_thread(settings);
  plan.keep_activations = true;
  const at::Tensor features = rows(count), gradient = at::full({count}, 0.01);
  const DropoutMasks masks = head_.draw_masks(count, options_.dropout, dropout_);

  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  const std::uint64_t before = meter.allocated_bytes();
  meter.reset_peak();
  HeadPass pass(head_, features, masks, plan);
  const std::uint64_t kept = meter.allocated_bytes();
  pass.backward(gradient);
  const std::uint64_t peak = meter.peak_bytes();
  return {.passes = peak - before, .beyond_kept = peak - kept};
}

at::Tensor HeadTrainingStep::stand_in_for_others(std::size_t shards,
                                                 const memory::StepSettings& settings) const {
  const std::uint64_t each = settings.checkpointing ? shard_->passes : shard_->beyond_kept;
  return at::empty({static_cast<std::int64_t>((side_by_side(shards, settings) - 1) * each)}, at::kByte);
}

at::Tensor HeadTrainingStep::rows(std::int64_t count) const {
  return features_.index_select(0, at::arange(count, at::kLong).remainder_(kMadeUpRows));
}

void HeadTrainingStep::take_step(std::int64_t items, const memory::StepSettings& settings,
                                 memory::AllocationTagger& marks) {
  marks.allocating(memory::AllocationTag::activations);
  const DropoutMasks masks = head_.draw_masks(2 * items, options_.dropout, dropout_);
  HeadPass pass(head_, rows(2 * items), masks, one_thread(settings));
  const LossValue loss = head_loss(pass.energies(), items, options_.loss, threads_);
  const at::Tensor gradient = energy_gradient(loss, at::kCPU);
  {
    const auto shards = static_cast<std::size_t>(train::shard_count(2 * items, at::kCPU));
    const at::Tensor others = stand_in_for_others(shards, settings);
    marks.allocating(memory::AllocationTag::gradients);
    pass.backward(gradient);
  }
  train::clip_gradients(parameters_, {.norm = options_.grad_clip});
  marks.allocating(memory::AllocationTag::workspace);
  optimizer_.step({});
}

void HeadTrainingStep::validate(const memory::StepSettings& settings) const {
  const at::Tensor features = rows(2 * validation_pairs_);
  const auto shards = static_cast<std::size_t>(train::shard_count(features.size(0), at::kCPU));
  at::Tensor energies;
  {
    // Scoring keeps no tensors between shards, as with activation checkpointing.
    const at::Tensor others = stand_in_for_others(shards, {.checkpointing = true});
    energies = TensorScoring(head_).energies(features, one_thread(settings));
  }
  head_loss(energies, validation_pairs_, options_.loss, threads_);
}

void HeadTrainingStep::run(std::span<const memory::ItemSize> batch, const memory::StepSettings& settings,
                           memory::AllocationTagger& marks) {
  if (!shard_) {
    shard_ = measure_shard(settings);
  }
  take_step(static_cast<std::int64_t>(batch.size()), settings, marks);
  // Validation has no gradients, so it needs more memory than a step only if it has more rows than a step.
  if (validation_pairs_ > static_cast<std::int64_t>(options_.batch_size)) {
    marks.allocating(memory::AllocationTag::activations);
    validate(settings);
  }
}

}  // namespace molgauge::ood
