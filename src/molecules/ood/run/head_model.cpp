#include "molecules/ood/run/head_model.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/log.h"
#include "base/numerics/torch/allocator_access.h"
#include "base/numerics/torch/tensor_files.h"
#include "base/train/step_options.h"
#include "molecules/ood/head/head_pass.h"

namespace molgauge::ood {
namespace {

constexpr const char* kGenerator = "dropout_generator";
constexpr const char* kPairs = "python_random";

at::Generator seeded_generator(at::Device device, std::uint64_t seed) {
  at::Generator generator = at::globalContext().defaultGenerator(device).clone();
  generator.set_current_seed(seed);
  return generator;
}

EnergyHead new_head(const TrainingRows& data, const TrainingOptions& options) {
  EnergyHead head(data.width(), static_cast<std::int64_t>(options.hidden_dim), options.seed);
  head.to(data.device());
  return head;
}

}  // namespace

HeadModel::HeadModel(const TrainingRows& data, const TrainingOptions& options,
                     const std::filesystem::path& run, const TrainingHooks& hooks, std::size_t threads)
    : data_(data),
      options_(options),
      hooks_(hooks),
      threads_(threads),
      head_(new_head(data, options)),
      parameters_(head_parameters(head_, options.learning_rate, options.weight_decay, data.groups(options))),
      optimizer_(parameters_, adamw_options(options)),
      random_{{data.id_rows(), data.ood_rows(), options.seed}, seeded_generator(data.device(), options.seed)},
      epoch_items_(random_.pairs.epoch_items()),
      allocator_(torch::allocator_access(data.device())),
      scoring_(pass_rows(head_, 2 * static_cast<std::int64_t>(options.eval_batch_size), threads).scoring(),
               allocator_),
      files_(run) {
  train::require_effect_on_device(options.memory_saving, !data.device().is_cpu());
  train::require_effect_on_parts(
      options.memory_saving, static_cast<std::size_t>(rows(0)),
      static_cast<std::size_t>(train::shard_count(rows(0), data.device(), data.least_rows())));
}

train::PassRows HeadModel::passes(std::int64_t rows) const {
  train::PassRows passes = pass_rows(head_, rows, data_.threads_of_pass(threads_));
  passes.least_rows = data_.least_rows();
  return passes;
}

train::StepOptions HeadModel::step_options() const {
  train::StepOptions step = train::step_options(passes(rows(0)), options_.memory_saving, options_.strategy);
  step.clipping.norm = options_.grad_clip;
  step.phases = hooks_.phases;
  return step;
}

std::size_t HeadModel::batches() const {
  return (epoch_items_ + options_.batch_size - 1) / options_.batch_size;
}

std::int64_t HeadModel::items(std::size_t batch) const {
  return static_cast<std::int64_t>(std::min(options_.batch_size, epoch_items_ - batch * options_.batch_size));
}

std::unique_ptr<train::Batch> HeadModel::draw(std::size_t batch) {
  return std::make_unique<HeadBatch>(head_, data_, items(batch), options_, random_, loss_);
}

double HeadModel::validate() {
  if (!validation_) {
    const auto step = memory::begin_step(hooks_.phases, "validation");
    const auto [id, ood] = data_.validation(threads_);
    validation_ = validate_head(head_, id, ood, options_.loss, options_.eval_batch_size, threads_, scoring_);
  }
  return validation_->metrics.auroc;
}

void HeadModel::keep_best() {
  io::TensorMap tensors = head_.weights().to_tensors();
  data_.add_to_best(tensors);
  files_.keep_best(std::move(tensors));
}

void HeadModel::begin(const train::TrainingState& state) {
  display_.emplace("train", "batch", options_.epochs * batches(), options_.quiet);
  display_->skip(state.epoch * batches() + state.batches);
}

void HeadModel::begin_epoch(const train::TrainingState& state) {
  epoch_watch_ = Stopwatch();
  epoch_mark_ = std::make_unique<memory::PhaseMark>(hooks_.phases, fmt::format("epoch {}", state.epoch + 1));
}

void HeadModel::after_batch(const train::TrainingState& state, double gradient_norm) {
  progress_.sums.add(loss_, gradient_norm);
  validation_.reset();
  display_->set_note(fmt::format("epoch {}/{}, loss {:.4f}, separation {:.4f}", state.epoch + 1,
                                 options_.epochs, loss_.total, loss_.energy_separation()));
  display_->advance(1);
  if (hooks_.after_step) {
    hooks_.after_step(state.optimizer_steps);
  }
}

void HeadModel::end_epoch(const train::TrainingState& state) {
  epoch_mark_.reset();
  const Validation& validation = *validation_;
  report_ = {state.epoch, progress_.sums.mean_loss(),      progress_.sums.mean_gradient_norm(),
             validation,  state.best_epoch == state.epoch, 0};
  progress_.curve.push_back({report_.train_loss, validation.loss, validation.metrics.auroc,
                             validation.metrics.aupr, validation.metrics.fpr95,
                             parameters_.groups().front().options.rate(state.clock()),
                             report_.gradient_norm});
  if (options_.loss.kind == Loss::dpo) {
    progress_.dynamics.push_back(progress_.sums.mean_pairs());
  }
  progress_.sums = {};
}

void HeadModel::after_epoch(const train::TrainingState& /*state*/, double seconds) {
  if (options_.memory_saving.empty_cache == EmptyCache::every_epoch && allocator_.release_cached) {
    allocator_.release_cached();
  }
  report_.seconds = epoch_watch_.seconds();
  if (options_.log_epochs) {
    log(seconds);
  }
  if (hooks_.after_epoch) {
    hooks_.after_epoch(report_);
  }
}

void HeadModel::log(double seconds) const {
  const double mean = seconds / static_cast<double>(report_.epoch + 1);
  log_info(
      "epoch {}/{}: train loss {:.6f}, validation loss {:.6f}, separation {:.6f}, AUROC {:.4f}, AUPR "
      "{:.4f}, "
      "FPR95 {:.4f}{}. Epoch {:.2f} s, mean {:.2f} s, elapsed {}, remaining {}",
      report_.epoch + 1, options_.epochs, report_.train_loss, report_.validation.loss,
      report_.validation.energy_separation, report_.validation.metrics.auroc, report_.validation.metrics.aupr,
      report_.validation.metrics.fpr95, report_.best ? " (best)" : "", report_.seconds, mean,
      format_duration(seconds),
      format_duration(mean * static_cast<double>(options_.epochs - report_.epoch - 1)));
}

void HeadModel::save(train::Checkpoint& checkpoint) const {
  add_progress(progress_, checkpoint.progress);
  checkpoint.tensors[kGenerator] = torch::to_file(random_.dropout.get_state());
  checkpoint.metadata[kPairs] = random_.pairs.state();
}

void HeadModel::restore(const train::Checkpoint& checkpoint, const std::string& file) {
  progress_ = progress_in(checkpoint.progress);
  try {
    random_.pairs.restore(train::take_metadata(checkpoint, kPairs, file));
  } catch (const InputError& problem) {
    throw InputError(file + ": " + problem.what() + ". " + train::kWithoutCheckpoint);
  }
  train::restore_generator(random_.dropout, checkpoint, kGenerator, file);
}

}  // namespace molgauge::ood
