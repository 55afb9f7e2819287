#include "ood/head_training_step.h"

#include <algorithm>

#include <ATen/CPUGeneratorImpl.h>

#include "ood/head_loss.h"
#include "ood/head_pass.h"

namespace headroom::ood {
namespace {

constexpr std::int64_t kMadeUpRows = 16;
/// A step's fixed cost, in items.
constexpr double kStepCostInItems = 20;
/// Two forward passes and a backward pass, which takes twice as long, over one of each.
constexpr double kTimeOfCheckpointing = 4.0 / 3;

AdamWOptions adamw_options(const TrainingOptions& options) {
  AdamWOptions adamw{.weight_decay = options.weight_decay};
  adamw.state = options.frugality.optimizer_state == MomentType::bf16 ? at::kBFloat16 : at::kFloat;
  return adamw;
}

}  // namespace

HeadTrainingStep::HeadTrainingStep(std::int64_t feature_width, const TrainingOptions& options,
                                   std::uint64_t data_bytes, std::size_t validation_pairs,
                                   std::size_t threads)
    : options_(options),
      data_bytes_(data_bytes),
      validation_pairs_(static_cast<std::int64_t>(validation_pairs)),
      threads_(threads),
      head_(feature_width, static_cast<std::int64_t>(options.hidden_dim), options.seed),
      optimizer_(head_, adamw_options(options)),
      dropout_(at::detail::createCPUGenerator(options.seed)),
      features_(at::full({kMadeUpRows, feature_width}, 0.5)) {}

memory::BatchLoad HeadTrainingStep::load(std::span<const memory::ItemSize> batch) const {
  const std::uint64_t rows = 2 * batch.size();
  return {.items = batch.size(),
          .atoms = rows,
          .edges = static_cast<std::uint64_t>(shard_count(static_cast<std::int64_t>(rows), at::kCPU)),
          .pairs = 0};
}

std::vector<MemoryContribution> HeadTrainingStep::resident(const memory::StepSettings&) const {
  std::uint64_t bytes = 0;
  for (const auto& parameter : head_.parameters()) {
    bytes += parameter.value.nbytes();
  }
  const std::uint64_t moments = options_.frugality.optimizer_state == MomentType::bf16 ? bytes : 2 * bytes;
  return {
      {"features", data_bytes_}, {"parameters", bytes}, {"optimiser state", moments}, {"gradients", bytes}};
}

std::vector<memory::StepSettings> HeadTrainingStep::variants() const {
  const Frugality& frugality = options_.frugality;
  memory::StepSettings settings;
  settings.precision =
      frugality.autocast == Autocast::off ? memory::Precision::fp32 : memory::Precision::bf16;
  const std::size_t parts = batch_parts();
  if (frugality.gradient_accumulation > 0) {
    settings.checkpointing = parts > 1;
    settings.parts_at_once =
        parts > 1 ? (parts + frugality.gradient_accumulation - 1) / frugality.gradient_accumulation : 0;
    return {settings};
  }
  std::vector<memory::StepSettings> variants;
  if (frugality.checkpoint_activations != Checkpointing::on) {
    variants.push_back(settings);
  }
  if (frugality.checkpoint_activations != Checkpointing::off && parts > 1) {
    settings.checkpointing = true;
    variants.push_back(settings);
    if (threads_ > 1 && frugality.checkpoint_activations == Checkpointing::automatic) {
      settings.parts_at_once = 1;
      variants.push_back(settings);
    }
  }
  return variants;
}

std::size_t HeadTrainingStep::batch_parts() const {
  return static_cast<std::size_t>(shard_count(2 * static_cast<std::int64_t>(options_.batch_size), at::kCPU));
}

double HeadTrainingStep::relative_time(const memory::BatchLoad& load,
                                       const memory::StepSettings& settings) const {
  double factor = settings.checkpointing ? kTimeOfCheckpointing : 1.0;
  if (settings.parts_at_once > 0) {
    const auto side_by_side = static_cast<double>(std::min<std::size_t>(threads_, load.edges));
    factor *= std::max(1.0, side_by_side / static_cast<double>(settings.parts_at_once));
  }
  return kStepCostInItems + factor * static_cast<double>(load.items);
}

at::Tensor HeadTrainingStep::rows(std::int64_t count) const {
  return features_.index_select(0, at::arange(count, at::kLong).remainder_(kMadeUpRows));
}

void HeadTrainingStep::take_step(std::int64_t items, const memory::StepSettings& settings,
                                 memory::StepMarks& marks) {
  marks.allocating(memory::Contributor::activations);
  const DropoutMasks masks = head_.draw_masks(2 * items, options_.dropout, dropout_);
  PassPlan plan;
  plan.threads = threads_;
  plan.keep_activations = !settings.checkpointing;
  plan.shards_at_once = static_cast<std::int64_t>(settings.parts_at_once);
  plan.precision = settings.precision == memory::Precision::bf16 ? at::kBFloat16 : at::kFloat;
  HeadPass pass(head_, rows(2 * items), masks, plan);
  const LossValue loss = head_loss(pass.energies(), items, options_.loss, threads_);
  marks.allocating(memory::Contributor::gradients);
  pass.backward(energy_gradient(loss, at::kCPU));
  clip_gradient_norm(head_, options_.grad_clip);
  marks.allocating(memory::Contributor::workspace);
  optimizer_.step(options_.learning_rate);
}

void HeadTrainingStep::validate() const {
  PassPlan plan;
  plan.threads = threads_;
  head_loss(energies_of(head_, rows(2 * validation_pairs_), plan), validation_pairs_, options_.loss,
            threads_);
}

void HeadTrainingStep::run(std::span<const memory::ItemSize> batch, const memory::StepSettings& settings,
                           memory::StepMarks& marks) {
  take_step(static_cast<std::int64_t>(batch.size()), settings, marks);
  // Without gradients: only of more rows than a step has can it take more.
  if (validation_pairs_ > static_cast<std::int64_t>(options_.batch_size)) {
    marks.allocating(memory::Contributor::activations);
    validate();
  }
}

}  // namespace headroom::ood
