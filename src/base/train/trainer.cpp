#include "base/train/trainer.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/train/training_checkpoint.h"

namespace molgauge::train {
namespace {

memory::Workload keeping() {
  memory::Workload workload;
  workload.name = "validating and keeping the training";
  return workload;
}

}  // namespace

Trainer::Trainer(Model& model, TrainerOptions options, std::optional<RunFolder> run)
    : model_(model),
      options_(std::move(options)),
      stopping_(options_.early_stopping, options_.patience),
      step_(model.parameters(), model.optimizer(), options_.step),
      keeping_(keeping(), options_.step.allocator) {
  if (run) {
    checkpoints_.emplace(model, std::move(run->path), std::move(run->identity), run->epochs_between);
  }
}

memory::RecoveryCounts Trainer::memory() const {
  memory::RecoveryCounts counts = step_.memory();
  counts.recoveries += keeping_.counts().recoveries;
  return counts;
}

void Trainer::run() {
  if (options_.processes == nullptr) {
    train();
    return;
  }
  try {
    train();
    options_.processes->meet();
  } catch (const ProcessLost& lost) {
    if (checkpoints_ && has_begun_) {
      save();
    }
    const std::string text = fmt::format(
        "{}. {}. Run the same command to continue the training, in any number of processes", lost.what(),
        has_begun_ ? fmt::format("The work up to epoch {}, step {} is kept", state_.epoch + 1, state_.batches)
                   : "The training had not begun");
    if (lost.departure().was_stopped) {
      throw Interrupted(text);
    }
    throw Error(text);
  }
}

void Trainer::train() {
  begin();
  while (state_.epoch < options_.epochs && !stopping_.should_stop()) {
    train_epoch();
    finish_epoch();
  }
  save();
}

void Trainer::begin() {
  if (checkpoints_ && options_.resume) {
    retry_until_fits([&] { resumed_ = checkpoints_->resume(state_, options_.epochs); });
    stopping_.restore(state_.stopping);
  } else if (checkpoints_) {
    checkpoints_->start_anew();
  }
  if (options_.processes != nullptr) {
    share_state(*options_.processes, model_, state_);
    stopping_.restore(state_.stopping);
    resumed_ = state_.optimizer_steps > 0;
  }
  has_begun_ = true;
  model_.begin(state_);
}

void Trainer::train_epoch() {
  model_.begin_epoch(state_);
  while (state_.batches < model_.batches()) {
    const std::size_t batch = state_.batches;
    const double norm = step_.run(
        model_.rows(batch), [&] { return model_.draw(batch); }, state_.clock(), state_.loss_scale);
    ++state_.batches;
    ++state_.optimizer_steps;
    model_.after_batch(state_, norm);
    if (options_.validation_steps > 0 && state_.optimizer_steps % options_.validation_steps == 0) {
      observe(stopping_.observe_mid_epoch(validate()));
    }
    stop_if_asked();
    if (checkpoints_) {
      retry_until_fits([&] { checkpoints_->save_if_due(state_); });
    }
  }
}

void Trainer::finish_epoch() {
  const std::size_t epoch = state_.epoch;
  observe(stopping_.observe_epoch(validate()));
  model_.end_epoch(state_);
  state_.batches = 0;
  ++state_.epoch;
  if (checkpoints_) {
    retry_until_fits([&] { checkpoints_->save_epoch(state_, epoch, options_.epochs); });
  }
  model_.after_epoch(state_, seconds());
  stop_if_asked();
}

double Trainer::validate() {
  double score = 0;
  retry_until_fits([&] { score = model_.validate(); });
  return score;
}

void Trainer::observe(bool gained) {
  state_.stopping = stopping_.state();
  if (gained) {
    state_.best_epoch = state_.epoch;
    retry_until_fits([&] { model_.keep_best(); });
  }
}

/// If the user has asked to stop, saves the state and throws Interrupted.
void Trainer::stop_if_asked() {
  if (cancellation_requested()) {
    save();
    throw Interrupted();
  }
}

void Trainer::save() {
  if (checkpoints_) {
    retry_until_fits([&] { checkpoints_->save(state_); });
  }
}

void Trainer::retry_until_fits(const std::function<void()>& work) {
  keeping_.retry_until_fits("validating and keeping the training", work);
}

}  // namespace molgauge::train
