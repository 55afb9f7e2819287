#include "base/train/training_checkpoint.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>

#include <ATen/ATen.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/json/checked_json.h"
#include "base/core/json/json_reader.h"

namespace molgauge::train {
namespace {

using nlohmann::json;

/// The field name "best_auroc" comes from the first version, in which the AUROC was the score of every
/// training.
void add_state(const TrainingState& state, json& progress) {
  progress["epoch"] = state.epoch;
  progress["epoch_batches"] = state.batches;
  progress["optimizer_steps"] = state.optimizer_steps;
  // JSON cannot hold infinity, which is the best score before the first evaluation.
  progress["best_auroc"] = std::isfinite(state.stopping.best) ? json(state.stopping.best) : json(nullptr);
  progress["best_epoch"] = state.best_epoch;
  progress["early_stopping_counter"] = state.stopping.counter;
  progress["gained_in_epoch"] = state.stopping.gained_in_epoch;
  progress["loss_scale"] = {state.loss_scale.factor, state.loss_scale.steps};
}

TrainingState state_in(const json& progress) {
  TrainingState state;
  get_checked(progress.at("epoch"), state.epoch);
  get_checked(progress.at("epoch_batches"), state.batches);
  get_checked(progress.at("optimizer_steps"), state.optimizer_steps);
  const json& best = progress.at("best_auroc");
  state.stopping.best = best.is_null() ? -std::numeric_limits<double>::infinity() : best.get<double>();
  get_checked(progress.at("best_epoch"), state.best_epoch);
  get_checked(progress.at("early_stopping_counter"), state.stopping.counter);
  get_checked(progress.at("gained_in_epoch"), state.stopping.gained_in_epoch);
  if (progress.contains("loss_scale")) {  // older checkpoints have no scale
    state.loss_scale = {progress["loss_scale"].at(0).get<double>(),
                        checked<std::size_t>(progress["loss_scale"].at(1))};
  }
  return state;
}

}  // namespace

Checkpoint checkpoint_of(Model& model, const TrainingState& state) {
  Checkpoint checkpoint;
  model.parameters().save(checkpoint.tensors, model.tensor_prefix());
  model.optimizer().save(checkpoint.tensors);
  add_state(state, checkpoint.progress);
  model.save(checkpoint);
  return checkpoint;
}

TrainingState restore(Model& model, const Checkpoint& checkpoint, const std::string& file) {
  TrainingState state;
  try {
    state = state_in(checkpoint.progress);
    model.restore(checkpoint, file);
  } catch (const json::exception& problem) {
    throw InputError(file + ": the training's progress cannot be read (" + json_problem(problem) + "). " +
                     kWithoutCheckpoint);
  }
  model.parameters().restore(checkpoint.tensors, model.tensor_prefix(), file);
  model.optimizer().restore(checkpoint.tensors, static_cast<std::int64_t>(state.optimizer_steps), file);
  return state;
}

void share_state(ProcessGroup& group, Model& model, TrainingState& state) {
  Checkpoint checkpoint = checkpoint_of(model, state);
  const json texts = parse_json(
      group.text_of_first(json{{"progress", checkpoint.progress}, {"metadata", checkpoint.metadata}}.dump()));
  for (auto& [name, tensor] : checkpoint.tensors) {
    const auto bytes = static_cast<std::int64_t>(tensor.bytes.size());
    if (bytes > 0) {
      group.broadcast(at::from_blob(tensor.bytes.data(), {bytes}, at::kByte), 0);
    }
  }
  if (!group.is_first()) {
    checkpoint.progress = texts.at("progress");
    checkpoint.metadata = texts.at("metadata").get<std::map<std::string, std::string>>();
    state = restore(model, checkpoint, "the state of process 0");
  }
}

}  // namespace molgauge::train
