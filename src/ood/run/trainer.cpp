#include "ood/run/trainer.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "core/cancellation.h"
#include "core/error.h"
#include "core/progress.h"
#include "ood/head/head_memory.h"
#include "ood/run/training_files.h"
#include "ood/run/training_step.h"
#include "torch/allocator_access.h"
#include "torch/operator_threads.h"
#include "train/schedule.h"

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
  adamw.state = options.frugality.optimizer_state == train::MomentType::bf16 ? at::kBFloat16 : at::kFloat;
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
        step_(data, options, state_.head, serial_.former(), hooks.phases),
        allocator_(torch::allocator_access(data.train_id.device())),
        scoring_(
            PassRows(state_.head, 2 * static_cast<std::int64_t>(options.eval_batch_size), serial_.former())
                .scoring(),
            allocator_),
        items_(state_.pairs.epoch_items()) {}

  TrainingResult run() {
    resume();
    Progress progress("train", "batch", options_.epochs * batches(), options_.quiet);
    progress_ = &progress;
    progress.advance(state_.progress.epoch * batches() + state_.progress.sums.batches);
    while (state_.progress.epoch < options_.epochs && !stopping_.should_stop()) {
      train_epoch();
      finish_epoch();
    }
    keeping([&] { files_.save(state_); });
    return result();
  }

 private:
  std::size_t batches() const { return (items_ + options_.batch_size - 1) / options_.batch_size; }

  void resume() {
    if (options_.resume) {
      keeping([&] { resumed_ = files_.resume(state_, options_.epochs); });
      stopping_.restore(state_.progress.stopping);
    } else {
      files_.start_anew();
    }
  }

  /// Reads or writes the run's files: copies of the state need memory as well.
  void keeping(const std::function<void()>& work) {
    scoring_.insist("keeping the state of the training", work);
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
    const StepReport step = step_.run(state_, items);
    const LossValue& loss = step.loss;
    ++state_.progress.optimizer_steps;
    state_.progress.sums.add(loss, step.gradient_norm);
    validation_.reset();
    progress_->set_note(fmt::format("epoch {}/{}, loss {:.4f}, separation {:.4f}", state_.progress.epoch + 1,
                                    options_.epochs, loss.total, loss.energy_separation()));
    progress_->advance(1);
  }

  /// The work is kept whenever this throws.
  void after_step() {
    if (hooks_.after_step) {
      hooks_.after_step(state_.progress.optimizer_steps);
    }
    if (cancellation_requested()) {
      keeping([&] { files_.save(state_); });
      throw Interrupted();
    }
    keeping([&] { files_.save_if_due(state_); });
  }

  const Validation& validate_now() {
    if (!validation_) {
      const auto step = memory::begin_step(hooks_.phases, "validation");
      validation_ = validate_head(state_.head, data_.val_id, data_.val_ood, options_.loss,
                                  options_.eval_batch_size, serial_.former(), scoring_);
    }
    return *validation_;
  }

  void observe(bool gained) {
    state_.progress.stopping = stopping_.state();
    if (gained) {
      state_.progress.best_epoch = state_.progress.epoch;
      keeping([&] { files_.keep_best(state_.head); });
    }
  }

  void finish_epoch() {
    TrainingProgress& progress = state_.progress;
    EpochReport report{progress.epoch,
                       progress.sums.mean_loss(),
                       progress.sums.mean_gradient_norm(),
                       validate_now(),
                       false,
                       0};
    observe(stopping_.observe_epoch(report.validation.metrics.auroc));
    report.best = progress.best_epoch == report.epoch;
    const Validation& validation = report.validation;
    progress.curve.push_back({report.train_loss, validation.loss, validation.metrics.auroc,
                              validation.metrics.aupr, validation.metrics.fpr95,
                              train::scheduled_learning_rate(options_.learning_rate, report.epoch),
                              report.gradient_norm});
    if (options_.loss.kind == LossKind::dpo) {
      progress.dynamics.push_back(progress.sums.mean_pairs());
    }
    progress.sums = {};
    ++progress.epoch;
    keeping([&] { files_.save_epoch(state_, report.epoch, options_.epochs); });
    if (options_.frugality.empty_cache == train::EmptyCache::every_epoch && allocator_.release_cached) {
      allocator_.release_cached();
    }
    report.seconds = epoch_watch_.seconds();
    if (options_.log_epochs) {
      log(report);
    }
    if (hooks_.after_epoch) {
      hooks_.after_epoch(report);
    }
    if (cancellation_requested()) {
      keeping([&] { files_.save(state_); });
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
    const memory::RecoveryCounts memory = step_.memory();
    const auto items = [](std::size_t rows) { return (rows + 1) / 2; };
    return {progress.epoch,
            progress.best_epoch,
            progress.stopping.best,
            progress.epoch < options_.epochs,
            resumed_,
            seconds,
            seconds / static_cast<double>(progress.epoch),
            progress.curve,
            memory.recoveries + scoring_.counts().recoveries,
            items(memory.planned),
            items(memory.used)};
  }

  torch::OperatorThreads serial_{1};
  const TrainingData& data_;
  const TrainingOptions& options_;
  const TrainingHooks& hooks_;
  TrainingState state_;
  TrainingFiles files_;
  train::EarlyStopping stopping_;
  TrainingStep step_;
  memory::AllocatorAccess allocator_;
  memory::Recovery scoring_;              ///< and everything else but the steps
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
  memory::Workload preparing;
  preparing.name = "preparing the training";
  preparing.largest_contributor = [&](std::size_t) {
    return "the features of " + std::to_string(data.train_id.size(0) + data.train_ood.size(0)) +
           " training molecules";
  };
  std::optional<Training> training;
  memory::Recovery recovery(preparing, torch::allocator_access(data.train_id.device()));
  recovery.insist("preparing the training", [&] {
    validate(data);
    training.emplace(data, options, run, hooks);
  });
  TrainingResult result = training->run();
  result.oom_recoveries += recovery.counts().recoveries;
  return result;
}

}  // namespace headroom::ood
