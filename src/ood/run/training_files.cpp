#include "ood/run/training_files.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <spdlog/spdlog.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/folder_checksums.h"
#include "core/json_reader.h"
#include "core/json_text.h"
#include "io/tensors/safetensors.h"
#include "ood/run/run_config.h"
#include "ood/run/run_results.h"
#include "ood/run/training_curve.h"

namespace headroom::ood {
namespace {

constexpr double kSecondsBetweenSaves = 0.5;

/// Kept apart from the checkpoints, which hold nothing that differs between two equal trainings.
std::filesystem::path time_file(const train::CheckpointFolder& checkpoints) {
  return checkpoints.path() / "train_time.json";
}

double read_seconds(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) {
    return 0;
  }
  require_intact(path, "remove the file (only the time is lost)");
  const auto content = parse_json_or_nothing(read_file(path));
  if (!content.is_object() || !content.contains("train_time_seconds") ||
      !content["train_time_seconds"].is_number()) {
    throw InputError(path.string() + ": not what training wrote; remove the file (only the time is lost)");
  }
  return content["train_time_seconds"].get<double>();
}

/// The best model of a longer training is not that of a shorter one.
void require_within(const TrainingProgress& progress, std::size_t epochs, const std::filesystem::path& file) {
  const std::size_t trained = progress.epoch + (progress.sums.batches > 0 ? 1 : 0);
  if (trained > epochs) {
    throw InputError(fmt::format(
        "{}: has been trained for {} epochs, more than --epochs {}; ask for at least as many, name another "
        "run folder, or begin anew with --restart",
        file.string(), trained, epochs));
  }
}

}  // namespace

TrainingFiles::TrainingFiles(std::filesystem::path run, TrainingIdentity identity)
    : run_(std::move(run)), identity_(std::move(identity)), checkpoints_(run_ / "checkpoints") {
  make_folder(checkpoints_.path());
}

bool TrainingFiles::resume(TrainingState& state, std::size_t epochs) {
  const auto newest = checkpoints_.newest();
  if (!newest) {
    keep_folder_checksums();
    return false;
  }
  if (!has_checksums(run_)) {
    spdlog::info("{}: was begun by a version that kept no checksums; what it wrote is taken as it is",
                 run_.string());
  }
  read_checkpoint(*newest, state, identity_);
  require_within(state.progress, epochs, *newest);
  if (std::isfinite(state.progress.stopping.best)) {
    require_best_model(*newest);
  }
  earlier_seconds_ = read_seconds(time_file(checkpoints_));
  keep_folder_checksums();
  return true;
}

void TrainingFiles::require_best_model(const std::filesystem::path& checkpoint) const {
  const char* const way_out = "begin anew with --restart";
  if (!std::filesystem::exists(best_model())) {
    throw InputError(best_model().string() + ": missing, although " + checkpoint.string() +
                     " was written after it; " + way_out);
  }
  require_intact(best_model(), way_out);
  // What an earlier version wrote has no checksum; that it is a model can be seen all the same.
  try {
    HeadWeights::from_tensors(io::read_safetensors(best_model()).tensors, best_model().string());
  } catch (const InputError& problem) {
    throw InputError(std::string(problem.what()) + "; " + way_out);
  }
}

void TrainingFiles::keep_folder_checksums() const {
  keep_checksums(run_);
  keep_checksums(checkpoints_.path());
}

void TrainingFiles::start_anew() {
  // First: without it no reader takes what is left, or what is trained next, for the run that it describes.
  remove_run_config(run_);
  forget_checksums(run_);
  forget_checksums(checkpoints_.path());
  remove_results(run_);
  checkpoints_.clear();
  std::filesystem::remove(time_file(checkpoints_));
  std::filesystem::remove(best_model());
  std::filesystem::remove(run_ / "training_curve.csv");
  std::filesystem::remove(run_ / "training_dynamics.csv");
  keep_folder_checksums();
}

void TrainingFiles::keep_best(const EnergyHead& head) { best_ = head.weights().to_tensors(); }

void TrainingFiles::write_best() {
  if (best_) {
    io::write_safetensors(best_model(), *best_, {{"format", "headroom energy head 1"}});
    best_.reset();
  }
}

void TrainingFiles::save_if_due(const TrainingState& state) {
  if (since_save_.seconds() >= kSecondsBetweenSaves) {
    save(state);
  }
}

void TrainingFiles::save(const TrainingState& state) {
  write_best();
  write_training_curve(run_ / "training_curve.csv", state.progress.curve);
  if (!state.progress.dynamics.empty()) {
    write_training_dynamics(run_ / "training_dynamics.csv", state.progress.dynamics);
  }
  write_checkpoint(checkpoints_.last(), state, identity_);
  replace_file(time_file(checkpoints_), json_line(nlohmann::json{{"train_time_seconds", seconds()}}) + "\n");
  since_save_ = Stopwatch();
}

void TrainingFiles::save_epoch(const TrainingState& state, std::size_t epoch, std::size_t planned_epochs) {
  remove_evaluation(run_);
  if (train::CheckpointFolder::is_kept(epoch, planned_epochs)) {
    write_best();
    write_checkpoint(checkpoints_.of_epoch(epoch), state, identity_);
    checkpoints_.rotate();
  }
}

}  // namespace headroom::ood
