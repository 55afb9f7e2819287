#include "molecules/ood/run/head_files.h"

#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/json/checked_json.h"
#include "base/io/tensors/safetensors.h"
#include "molecules/ood/run/run_config.h"
#include "molecules/ood/run/run_results.h"
#include "molecules/ood/run/training_curve.h"

namespace molgauge::ood {
namespace {

using nlohmann::json;

json pairs_to_json(const PairStatistics& pairs) {
  return {pairs.misranked_ratio, pairs.boundary_ratio, pairs.avg_margin};
}

PairStatistics pairs_from_json(const json& row) {
  return {row.at(0).get<double>(), row.at(1).get<double>(), row.at(2).get<double>()};
}

json record_to_json(const EpochRecord& epoch) {
  return {epoch.train_loss, epoch.validation_loss, epoch.auroc,        epoch.aupr,
          epoch.fpr95,      epoch.learning_rate,   epoch.gradient_norm};
}

EpochRecord record_from_json(const json& row) {
  return {row.at(0).get<double>(), row.at(1).get<double>(), row.at(2).get<double>(), row.at(3).get<double>(),
          row.at(4).get<double>(), row.at(5).get<double>(), row.at(6).get<double>()};
}

constexpr const char* kCurve = "training_curve.csv";
constexpr const char* kDynamics = "training_dynamics.csv";

}  // namespace

void EpochSums::add(const LossValue& batch, double norm) {
  ++batches;
  loss += batch.total;
  gradient_norm += norm;
  if (batch.pairs) {
    pairs.misranked_ratio += batch.pairs->misranked_ratio;
    pairs.boundary_ratio += batch.pairs->boundary_ratio;
    pairs.avg_margin += batch.pairs->avg_margin;
  }
}

PairStatistics EpochSums::mean_pairs() const {
  const auto count = static_cast<double>(batches);
  return {pairs.misranked_ratio / count, pairs.boundary_ratio / count, pairs.avg_margin / count};
}

void add_progress(const TrainingProgress& progress, json& fields) {
  json curve = json::array();
  for (const EpochRecord& epoch : progress.curve) {
    curve.push_back(record_to_json(epoch));
  }
  json dynamics = json::array();
  for (const PairStatistics& row : progress.dynamics) {
    dynamics.push_back(pairs_to_json(row));
  }
  fields["epoch_loss"] = progress.sums.loss;
  fields["epoch_gradient_norm"] = progress.sums.gradient_norm;
  fields["epoch_pairs"] = pairs_to_json(progress.sums.pairs);
  fields["curve"] = std::move(curve);
  fields["dynamics"] = std::move(dynamics);
}

TrainingProgress progress_in(const json& fields) {
  TrainingProgress progress;
  get_checked(fields.at("epoch_batches"), progress.sums.batches);
  get_checked(fields.at("epoch_loss"), progress.sums.loss);
  get_checked(fields.at("epoch_gradient_norm"), progress.sums.gradient_norm);
  progress.sums.pairs = pairs_from_json(fields.at("epoch_pairs"));
  for (const json& row : fields.at("curve")) {
    progress.curve.push_back(record_from_json(row));
  }
  for (const json& row : fields.at("dynamics")) {
    progress.dynamics.push_back(pairs_from_json(row));
  }
  return progress;
}

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
