#include "base/train/trainer.h"

#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/log.h"
#include "base/train/training_checkpoint.h"

namespace molgauge::train {
namespace {

using nlohmann::json;

constexpr double kSecondsBetweenSaves = 0.5;

/// The time is not stored in the checkpoints, because checkpoints of equal trainings must be bit-identical.
std::filesystem::path time_file(const CheckpointFolder& checkpoints) {
  return checkpoints.path() / "train_time.json";
}

double read_seconds(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) {
    return 0;
  }
  require_intact(path, "Remove the file. Only the recorded time is lost");
  const auto content = parse_json_or_nothing(read_file(path));
  if (!content.is_object() || !content.contains("train_time_seconds") ||
      !content["train_time_seconds"].is_number()) {
    throw InputError(path.string() +
                     ": not a file that training wrote. Remove the file (only the time is lost)");
  }
  return content["train_time_seconds"].get<double>();
}

/// Throws if the checkpoint has more epochs than requested, because the best model depends on the length of
/// the training.
void require_within(const TrainingState& state, std::size_t epochs, const std::filesystem::path& file) {
  const std::size_t trained = state.epoch + (state.batches > 0 ? 1 : 0);
  if (trained > epochs) {
    throw InputError(fmt::format(
        "{}: has been trained for {} epochs, more than --epochs {}. Ask for at least as many, name another "
        "run folder, or start from scratch with --restart",
        file.string(), trained, epochs));
  }
}

memory::Workload keeping() {
  memory::Workload workload;
  workload.name = "validating and keeping the training";
  return workload;
}

}  // namespace

RunCheckpoints::RunCheckpoints(Model& model, std::filesystem::path run, TrainingIdentity identity,
                               std::size_t epochs_between)
    : model_(model),
      run_(std::move(run)),
      identity_(std::move(identity)),
      checkpoints_(run_ / "checkpoints"),
      epochs_between_(epochs_between) {
  make_folder(checkpoints_.path());
}

bool RunCheckpoints::resume(TrainingState& state, std::size_t epochs) {
  const auto newest = checkpoints_.newest();
  if (!newest) {
    keep_folder_checksums();
    return false;
  }
  note_missing_checksums(run_);
  const std::string file = newest->string();
  state = restore(model_, read_checkpoint(*newest, identity_), file);
  require_within(state, epochs, *newest);
  if (std::isfinite(state.stopping.best)) {
    model_.require_best(*newest);
  }
  earlier_seconds_ = read_seconds(time_file(checkpoints_));
  keep_folder_checksums();
  return true;
}

void RunCheckpoints::keep_folder_checksums() const {
  keep_checksums(run_);
  keep_checksums(checkpoints_.path());
}

void RunCheckpoints::start_anew() {
  model_.remove_description();
  forget_checksums(run_);
  forget_checksums(checkpoints_.path());
  checkpoints_.clear();
  std::filesystem::remove(time_file(checkpoints_));
  model_.remove_files();
  keep_folder_checksums();
}

void RunCheckpoints::write(const std::filesystem::path& path, const TrainingState& state) const {
  write_checkpoint(path, checkpoint_of(model_, state), identity_);
}

void RunCheckpoints::save_if_due(const TrainingState& state) {
  if (since_save_.seconds() >= kSecondsBetweenSaves) {
    save(state);
  }
}

void RunCheckpoints::save(const TrainingState& state) {
  model_.write_best();
  model_.write_curve();
  write(checkpoints_.last(), state);
  replace_file(time_file(checkpoints_), json_line(json{{"train_time_seconds", seconds()}}) + "\n");
  since_save_ = Stopwatch();
}

void RunCheckpoints::save_epoch(const TrainingState& state, std::size_t epoch, std::size_t planned_epochs) {
  model_.forget_results();
  if (CheckpointFolder::is_kept(epoch, planned_epochs, epochs_between_)) {
    model_.write_best();
    write(checkpoints_.of_epoch(epoch), state);
    checkpoints_.rotate();
  }
}

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
