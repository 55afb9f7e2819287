#include "ood/run/training_step.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <c10/core/GradMode.h>

#include "core/error.h"
#include "ood/head/head_loss.h"
#include "ood/head/head_memory.h"
#include "torch/allocator_access.h"
#include "train/schedule.h"

namespace headroom::ood {
namespace {

at::ScalarType precision_of(train::Autocast autocast) {
  switch (autocast) {
    case train::Autocast::bf16:
      return at::kBFloat16;
    case train::Autocast::fp16:
      return at::kHalf;
    case train::Autocast::off:
      break;
  }
  return at::kFloat;
}

/// Rows of a full batch, ID and OOD.
std::size_t batch_rows(const TrainingData& data, const TrainingOptions& options) {
  const auto items = static_cast<std::size_t>(std::min(data.train_id.size(0), data.train_ood.size(0)));
  return 2 * std::min(options.batch_size, items);
}

PassPlan plan_of(const TrainingOptions& options, std::size_t threads) {
  const train::Frugality& frugality = options.frugality;
  PassPlan plan;
  plan.threads = threads;
  plan.precision = precision_of(frugality.autocast);
  plan.keep_activations = frugality.checkpoint_activations != train::Checkpointing::on &&
                          frugality.gradient_accumulation < 2 && !options.way.checkpointing;
  return plan;
}

/// As much at once as the options allow; where they leave no choice, nothing is made smaller.
memory::Workload workload_of(const EnergyHead& head, std::size_t rows, const TrainingOptions& options,
                             std::size_t threads) {
  const train::Frugality& frugality = options.frugality;
  memory::Workload workload = PassRows(head, static_cast<std::int64_t>(rows), threads).training();
  if (frugality.gradient_accumulation > 0) {
    const std::size_t shards = (rows + workload.smallest - 1) / workload.smallest;
    const std::size_t parts = frugality.gradient_accumulation;
    workload.planned = std::min(rows, (shards + parts - 1) / parts * workload.smallest);
    workload.smallest = workload.planned;
  } else if (frugality.checkpoint_activations == train::Checkpointing::on) {
    workload.planned = std::min(rows, threads * workload.smallest);
  } else if (frugality.checkpoint_activations == train::Checkpointing::off) {
    workload.smallest = workload.planned;
  } else if (options.way.checkpointing) {
    const std::size_t parts = options.way.parts_at_once > 0 ? options.way.parts_at_once : threads;
    workload.planned = std::min(rows, parts * workload.smallest);
  }
  return workload;
}

memory::AllocatorAccess allocator_of(at::Device device, const train::Frugality& frugality) {
  memory::AllocatorAccess access = torch::allocator_access(device);
  if (frugality.empty_cache == train::EmptyCache::never) {
    access.release_cached = {};
  }
  return access;
}

/// Also takes off the factor of the loss.
void divide_gradients(const EnergyHead& head, double factor) {
  const c10::NoGradGuard no_gradient;
  for (const auto& parameter : head.parameters()) {
    parameter.value.grad().div_(factor);
  }
}

}  // namespace

TrainingStep::TrainingStep(const TrainingData& data, const TrainingOptions& options, const EnergyHead& head,
                           std::size_t threads, memory::PhaseRecorder* phases)
    : options_(options),
      features_(at::cat({data.train_id, data.train_ood})),
      id_rows_(data.train_id.size(0)),
      plan_(plan_of(options, threads)),
      side_by_side_(
          threads *
          PassRows(head, static_cast<std::int64_t>(batch_rows(data, options)), threads).shard_rows()),
      phases_(phases),
      recovery_(workload_of(head, batch_rows(data, options), options, threads),
                allocator_of(features_.device(), options.frugality)) {
  train::require_effect(options.frugality, batch_rows(data, options), !features_.is_cpu());
}

memory::RecoveryCounts TrainingStep::memory() const {
  memory::RecoveryCounts counts = recovery_.counts();
  if (counts.used < counts.planned) {
    counts.used = std::min(counts.used, side_by_side_);
  }
  return counts;
}

StepReport TrainingStep::run(TrainingState& state, std::size_t items) {
  StepReport report;
  within_memory(recovery_, 2 * static_cast<std::int64_t>(items), features_.device(), plan_,
                [&](const PassPlan& plan) { report = run_once(state, items, plan); });
  return report;
}

StepReport TrainingStep::run_once(TrainingState& state, std::size_t items, const PassPlan& plan) const {
  TrainingPairs pairs = state.pairs;
  at::Generator dropout = state.dropout.clone();
  train::LossScale scale = state.progress.loss_scale;
  const DropoutMasks masks =
      state.head.draw_masks(2 * static_cast<std::int64_t>(items), options_.dropout, dropout);
  StepReport report = set_gradients(state, draw_features(pairs, items), masks, plan, scale);
  const auto phase = memory::begin_step(phases_, "optimiser");
  state.optimizer.step(train::scheduled_learning_rate(options_.learning_rate, state.progress.epoch));
  // Nothing from here on can fail.
  std::swap(state.pairs, pairs);
  std::swap(state.dropout, dropout);
  state.progress.loss_scale = scale;
  return report;
}

/// Clipped. In float16 once more with a smaller factor for as long as they overflow.
StepReport TrainingStep::set_gradients(const TrainingState& state, const at::Tensor& features,
                                       const DropoutMasks& masks, const PassPlan& plan,
                                       train::LossScale& scale) const {
  const bool scaled = plan.precision == at::kHalf;
  for (;; scale.overflowed()) {
    auto phase = memory::begin_step(phases_, "forward");
    HeadPass pass(state.head, features, masks, plan);
    LossValue loss = head_loss(pass.energies(), features.size(0) / 2, options_.loss, plan.threads);
    phase.reset();
    phase = memory::begin_step(phases_, "backward");
    const at::Tensor gradient = energy_gradient(loss, features.device());
    pass.backward(scaled ? gradient.mul(scale.factor) : gradient);
    if (scaled) {
      divide_gradients(state.head, scale.factor);
    }
    const double norm = clip_gradient_norm(state.head, options_.grad_clip);
    if (!scaled || std::isfinite(norm)) {
      if (scaled) {
        scale.stepped();
      }
      return {std::move(loss), norm};
    }
    if (!scale.can_shrink()) {
      throw Error(
          "training diverged: gradients overflow float16; lower the learning rate, or use --autocast bf16");
    }
  }
}

/// ID rows first, then as many OOD rows.
at::Tensor TrainingStep::draw_features(TrainingPairs& pairs, std::size_t items) const {
  TrainingPairs::Batch batch = pairs.draw(items);
  std::vector<std::int64_t>& rows = batch.id;
  for (const std::int64_t row : batch.ood) {
    rows.push_back(id_rows_ + row);
  }
  const at::Tensor index = at::from_blob(rows.data(), {static_cast<std::int64_t>(rows.size())}, at::kLong);
  return features_.index_select(0, index.to(features_.device()));
}

}  // namespace headroom::ood
