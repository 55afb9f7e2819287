#include "ood/run/training_progress.h"

#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "core/checked_json.h"
#include "core/json_reader.h"

namespace headroom::ood {
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

/// JSON has no infinity, which the best AUROC is before the first evaluation.
json best_to_json(double best) { return std::isfinite(best) ? json(best) : json(nullptr); }

double best_from_json(const json& best) {
  return best.is_null() ? -std::numeric_limits<double>::infinity() : best.get<double>();
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

std::string to_json(const TrainingProgress& progress) {
  json curve = json::array();
  for (const EpochRecord& epoch : progress.curve) {
    curve.push_back(record_to_json(epoch));
  }
  json dynamics = json::array();
  for (const PairStatistics& row : progress.dynamics) {
    dynamics.push_back(pairs_to_json(row));
  }
  return json{{"epoch", progress.epoch},
              {"epoch_batches", progress.sums.batches},
              {"epoch_loss", progress.sums.loss},
              {"epoch_gradient_norm", progress.sums.gradient_norm},
              {"epoch_pairs", pairs_to_json(progress.sums.pairs)},
              {"optimizer_steps", progress.optimizer_steps},
              {"best_auroc", best_to_json(progress.stopping.best)},
              {"best_epoch", progress.best_epoch},
              {"early_stopping_counter", progress.stopping.counter},
              {"gained_in_epoch", progress.stopping.gained_in_epoch},
              {"loss_scale", {progress.loss_scale.factor, progress.loss_scale.steps}},
              {"curve", curve},
              {"dynamics", dynamics}}
      .dump();
}

TrainingProgress progress_from_json(const std::string& text) {
  const json state = parse_json(text);
  TrainingProgress progress;
  get_checked(state.at("epoch"), progress.epoch);
  get_checked(state.at("epoch_batches"), progress.sums.batches);
  get_checked(state.at("epoch_loss"), progress.sums.loss);
  get_checked(state.at("epoch_gradient_norm"), progress.sums.gradient_norm);
  progress.sums.pairs = pairs_from_json(state.at("epoch_pairs"));
  get_checked(state.at("optimizer_steps"), progress.optimizer_steps);
  progress.stopping.best = best_from_json(state.at("best_auroc"));
  get_checked(state.at("best_epoch"), progress.best_epoch);
  get_checked(state.at("early_stopping_counter"), progress.stopping.counter);
  get_checked(state.at("gained_in_epoch"), progress.stopping.gained_in_epoch);
  if (state.contains("loss_scale")) {  // older checkpoints have none
    progress.loss_scale = {state["loss_scale"].at(0).get<double>(),
                           checked<std::size_t>(state["loss_scale"].at(1))};
  }
  for (const json& row : state.at("curve")) {
    progress.curve.push_back(record_from_json(row));
  }
  for (const json& row : state.at("dynamics")) {
    progress.dynamics.push_back(pairs_from_json(row));
  }
  return progress;
}

}  // namespace headroom::ood
