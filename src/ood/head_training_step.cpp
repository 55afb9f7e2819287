#include "ood/head_training_step.h"

#include <ATen/CPUGeneratorImpl.h>

#include "ood/head_loss.h"
#include "ood/head_pass.h"

namespace headroom::ood {
namespace {

constexpr std::int64_t kMadeUpRows = 16;
/// A step's fixed cost, in items.
constexpr double kStepCostInItems = 20;

}  // namespace

HeadTrainingStep::HeadTrainingStep(std::int64_t feature_width, const TrainingOptions& options,
                                   std::uint64_t data_bytes, std::size_t threads)
    : options_(options),
      data_bytes_(data_bytes),
      threads_(threads),
      head_(feature_width, static_cast<std::int64_t>(options.hidden_dim), options.seed),
      optimizer_(head_, {.weight_decay = options.weight_decay}),
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
  return {
      {"features", data_bytes_}, {"parameters", bytes}, {"optimiser state", 2 * bytes}, {"gradients", bytes}};
}

double HeadTrainingStep::relative_time(const memory::BatchLoad& load, const memory::StepSettings&) const {
  return kStepCostInItems + static_cast<double>(load.items);
}

void HeadTrainingStep::run(std::span<const memory::ItemSize> batch, const memory::StepSettings&,
                           memory::StepMarks& marks) {
  const auto items = static_cast<std::int64_t>(batch.size());
  marks.allocating(memory::Contributor::activations);
  const DropoutMasks masks = head_.draw_masks(2 * items, options_.dropout, dropout_);
  const at::Tensor rows = at::arange(2 * items, at::kLong).remainder_(kMadeUpRows);
  PassPlan plan;
  plan.threads = threads_;
  HeadPass pass(head_, features_.index_select(0, rows), masks, plan);
  const LossValue loss = head_loss(pass.energies(), items, options_.loss, threads_);
  marks.allocating(memory::Contributor::gradients);
  pass.backward(energy_gradient(loss, at::kCPU));
  clip_gradient_norm(head_, options_.grad_clip);
  marks.allocating(memory::Contributor::workspace);
  optimizer_.step(options_.learning_rate);
}

}  // namespace headroom::ood
