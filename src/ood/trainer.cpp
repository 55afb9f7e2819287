#include "ood/trainer.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "core/cancellation.h"
#include "core/error.h"
#include "core/progress.h"
#include "ood/head_loss.h"
#include "ood/head_pass.h"
#include "ood/learning_rate_schedule.h"
#include "ood/serial_tensors.h"
#include "ood/training_files.h"

namespace headroom::ood {
namespace {

at::Generator seeded_generator(at::Device device, std::uint64_t seed) {
  at::Generator generator = at::globalContext().defaultGenerator(device).clone();
  generator.set_current_seed(seed);
  return generator;
}

TrainingState initial_state(const TrainingData& data, const TrainingOptions& options) {
  const at::Device device = data.train_id.device();
  EnergyHead head(data.train_id.size(1), static_cast<std::int64_t>(options.hidden_dim), options.seed);
  head.to(device);
  AdamWOptions adamw;
  adamw.weight_decay = options.weight_decay;
  AdamW optimizer(head, adamw);
  return {std::move(head),
          std::move(optimizer),
          seeded_generator(device, options.seed),
          {static_cast<std::size_t>(data.train_id.size(0)), static_cast<std::size_t>(data.train_ood.size(0)),
           options.seed},
          {}};
}

class Training {
 public:
  Training(const TrainingData& data, const TrainingOptions& options, const std::filesystem::path& run,
           const TrainingHooks& hooks)
      : data_(data),
        options_(options),
        hooks_(hooks),
        state_(initial_state(data, options)),
        files_(run, {resume_identity(options), data_identity(data)}),
        stopping_(options.early_stopping, options.patience),
        features_(at::cat({data.train_id, data.train_ood})),
        items_(static_cast<std::size_t>(std::min(data.train_id.size(0), data.train_ood.size(0)))) {}

  TrainingResult run() {
    resume();
    Progress progress("train", "batches", options_.epochs * batches(), options_.quiet);
    progress_ = &progress;
    progress.advance(state_.progress.epoch * batches() + state_.progress.sums.batches);
    while (state_.progress.epoch < options_.epochs && !stopping_.should_stop()) {
      train_epoch();
      finish_epoch();
    }
    files_.save(state_);
    return result();
  }

 private:
  std::size_t batches() const { return (items_ + options_.batch_size - 1) / options_.batch_size; }

  void resume() {
    if (options_.resume) {
      resumed_ = files_.resume(state_);
      stopping_.restore(state_.progress.stopping);
    } else {
      files_.start_anew();
    }
  }

  void train_epoch() {
    epoch_watch_ = Stopwatch();
    const memory::PhaseMark epoch(hooks_.phases, fmt::format("epoch {}", state_.progress.epoch + 1));
    const TrainingProgress& progress = state_.progress;
    while (progress.sums.batches < batches()) {
      train_batch(std::min(options_.batch_size, items_ - progress.sums.batches * options_.batch_size));
      if (options_.eval_steps > 0 && progress.optimizer_steps % options_.eval_steps == 0) {
        observe(stopping_.observe_mid_epoch(validate_now().metrics.auroc));
      }
      after_step();
    }
  }

  void train_batch(std::size_t items) {
    const DropoutMasks masks =
        state_.head.draw_masks(2 * static_cast<std::int64_t>(items), options_.dropout, state_.dropout);
    auto step = memory::begin_step(hooks_.phases, "forward");
    HeadPass pass(state_.head, draw_features(items), masks, serial_.threads());
    const LossValue loss =
        head_loss(pass.energies(), static_cast<std::int64_t>(items), options_.loss, serial_.threads());
    step.reset();
    step = memory::begin_step(hooks_.phases, "backward");
    pass.backward(energy_gradient(loss, features_.device()));
    step.reset();
    step = memory::begin_step(hooks_.phases, "optimiser");
    clip_gradient_norm(state_.head, options_.grad_clip);
    state_.optimizer.step(scheduled_learning_rate(options_.learning_rate, state_.progress.epoch));
    step.reset();
    ++state_.progress.optimizer_steps;
    state_.progress.sums.add(loss);
    validation_.reset();
    progress_->set_note(fmt::format("epoch {}/{}, loss {:.4f}, separation {:.4f}", state_.progress.epoch + 1,
                                    options_.epochs, loss.total, loss.energy_separation()));
    progress_->advance(1);
  }

  /// ID rows first, then as many OOD rows.
  at::Tensor draw_features(std::size_t items) {
    TrainingPairs::Batch batch = state_.pairs.draw(items);
    std::vector<std::int64_t>& rows = batch.id;
    for (const std::int64_t row : batch.ood) {
      rows.push_back(data_.train_id.size(0) + row);
    }
    const at::Tensor index = at::from_blob(rows.data(), {static_cast<std::int64_t>(rows.size())}, at::kLong);
    return features_.index_select(0, index.to(features_.device()));
  }

  /// The work is kept whenever this throws.
  void after_step() {
    if (hooks_.after_step) {
      hooks_.after_step(state_.progress.optimizer_steps);
    }
    if (cancellation_requested()) {
      files_.save(state_);
      throw Interrupted();
    }
    files_.save_if_due(state_);
  }

  const Validation& validate_now() {
    if (!validation_) {
      const auto step = memory::begin_step(hooks_.phases, "validation");
      validation_ = validate_head(state_.head, data_.val_id, data_.val_ood, options_.loss,
                                  options_.eval_batch_size, serial_.threads());
    }
    return *validation_;
  }

  void observe(bool gained) {
    state_.progress.stopping = stopping_.state();
    if (gained) {
      state_.progress.best_epoch = state_.progress.epoch;
      files_.keep_best(state_.head);
    }
  }

  void finish_epoch() {
    TrainingProgress& progress = state_.progress;
    EpochReport report{progress.epoch, progress.sums.mean_loss(), validate_now(), false, 0};
    observe(stopping_.observe_epoch(report.validation.metrics.auroc));
    report.best = progress.best_epoch == report.epoch;
    const Validation& validation = report.validation;
    progress.curve.push_back({report.train_loss, validation.loss, validation.metrics.auroc,
                              validation.metrics.aupr, validation.metrics.fpr95,
                              scheduled_learning_rate(options_.learning_rate, report.epoch)});
    if (options_.loss.kind == LossKind::dpo) {
      progress.dynamics.push_back(progress.sums.mean_pairs());
    }
    progress.sums = {};
    ++progress.epoch;
    files_.save_epoch(state_, report.epoch, options_.epochs);
    report.seconds = epoch_watch_.seconds();
    if (options_.log_epochs) {
      log(report);
    }
    if (hooks_.after_epoch) {
      hooks_.after_epoch(report);
    }
    if (cancellation_requested()) {
      files_.save(state_);
      throw Interrupted();
    }
  }

  void log(const EpochReport& report) const {
    const double elapsed = files_.seconds();
    const double mean = elapsed / static_cast<double>(report.epoch + 1);
    spdlog::info(
        "epoch {}/{}: train loss {:.6f}, validation loss {:.6f}, separation {:.6f}, AUROC {:.4f}, AUPR "
        "{:.4f}, "
        "FPR95 {:.4f}{}; epoch {:.2f} s, mean {:.2f} s, elapsed {}, remaining {}",
        report.epoch + 1, options_.epochs, report.train_loss, report.validation.loss,
        report.validation.energy_separation, report.validation.metrics.auroc, report.validation.metrics.aupr,
        report.validation.metrics.fpr95, report.best ? " (best)" : "", report.seconds, mean,
        format_duration(elapsed),
        format_duration(mean * static_cast<double>(options_.epochs - report.epoch - 1)));
  }

  TrainingResult result() const {
    const TrainingProgress& progress = state_.progress;
    const double seconds = files_.seconds();
    return {progress.epoch,
            progress.best_epoch,
            progress.stopping.best,
            progress.epoch < options_.epochs,
            resumed_,
            seconds,
            seconds / static_cast<double>(progress.epoch)};
  }

  SerialTensors serial_;
  const TrainingData& data_;
  const TrainingOptions& options_;
  const TrainingHooks& hooks_;
  TrainingState state_;
  TrainingFiles files_;
  EarlyStopping stopping_;
  at::Tensor features_;                   ///< training rows, ID first
  std::size_t items_;                     ///< of an epoch
  std::optional<Validation> validation_;  ///< of the parameters as they are
  Stopwatch epoch_watch_;
  Progress* progress_ = nullptr;
  bool resumed_ = false;
};

}  // namespace

TrainingResult train_energy_head(const TrainingData& data, const TrainingOptions& options,
                                 const std::filesystem::path& run, const TrainingHooks& hooks) {
  validate(options);
  validate(data);
  return Training(data, options, run, hooks).run();
}

}  // namespace headroom::ood
