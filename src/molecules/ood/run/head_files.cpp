#include "molecules/ood/run/head_files.h"

#include <string>

#include "base/core/error.h"
#include "base/core/files/folder_checksums.h"
#include "base/io/tensors/safetensors.h"
#include "molecules/ood/run/run_config.h"
#include "molecules/ood/run/run_results.h"
#include "molecules/ood/run/training_curve.h"

namespace molgauge::ood {
namespace {

constexpr const char* kCurve = "training_curve.csv";
constexpr const char* kDynamics = "training_dynamics.csv";

}  // namespace

void HeadFiles::write_best() {
  if (best_) {
    io::write_safetensors(best_model(), *best_, {{"format", kHeadFormat}});
    best_.reset();
  }
}

void HeadFiles::write_curve(const TrainingProgress& progress) const {
  write_training_curve(run_ / kCurve, progress.curve);
  if (!progress.dynamics.empty()) {
    write_training_dynamics(run_ / kDynamics, progress.dynamics);
  }
}

void HeadFiles::require_best(const std::filesystem::path& checkpoint) const {
  const char* const remedy = "Start from scratch with --restart";
  if (!std::filesystem::exists(best_model())) {
    throw InputError(best_model().string() + ": missing, although " + checkpoint.string() +
                     " was written after it. " + remedy);
  }
  require_intact(best_model(), remedy);
  // If the folder has no checksums, this finds a file that contains no head.
  try {
    HeadWeights::from_tensors(io::read_safetensors(best_model()).tensors, best_model().string());
  } catch (const InputError& problem) {
    throw InputError(std::string(problem.what()) + ". " + remedy);
  }
}

void HeadFiles::remove_description() const { remove_run_config(run_); }

void HeadFiles::remove() const {
  remove_results(run_);
  std::filesystem::remove(best_model());
  std::filesystem::remove(run_ / kCurve);
  std::filesystem::remove(run_ / kDynamics);
}

void HeadFiles::forget_results() const { remove_evaluation(run_); }

}  // namespace molgauge::ood
