#include "base/train/run_checkpoints.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
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

}  // namespace molgauge::train
