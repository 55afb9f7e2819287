#include "molecules/ood/run/training_progress.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "base/core/json/checked_json.h"

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

}  // namespace molgauge::ood
