#include "pockets/training/model.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/json/json_text.h"
#include "base/core/session/log.h"
#include "base/core/text/duration.h"
#include "base/core/threads/worker_group.h"
#include "base/io/tensors/safetensors.h"
#include "base/numerics/ops/training/keyed_numbers.h"
#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/device.h"
#include "base/train/adam.h"
#include "base/train/adamw.h"
#include "base/train/step_options.h"
#include "pockets/tensor_encoder.h"
#include "pockets/training/batches.h"
#include "pockets/training/parameters.h"
#include "pockets/training/rate_schedule.h"
#include "pockets/training/run_files.h"

namespace molgauge::pocket {
namespace {

constexpr const char* kRestartRemedy = "Start from scratch with --restart";

/// The learning rate is read from `history`, which must outlive the parameters.
train::Parameters trained_parameters(const TrainingOptions& options,
                                     const std::vector<EpochRecord>& history) {
  train::ParameterGroup group{
      .name = "encoder",
      .parameters = draw_parameters(options.shape, options.seed),
      .options = {.learning_rate = options.learning_rate, .weight_decay = options.weight_decay}};
  group.options.schedule = [&options, &history](const train::Clock&) {
    return rate_factor(options.schedule, history, options.epochs);
  };
  return train::Parameters({std::move(group)});
}

std::unique_ptr<train::Optimizer> make_optimizer(const train::Parameters& parameters, bool is_decoupled) {
  if (is_decoupled) {
    return std::make_unique<train::AdamW>(parameters, train::AdamWOptions{});
  }
  return std::make_unique<train::Adam>(parameters, train::AdamOptions{});
}

std::vector<double> costs_of(const TrainingData& data, const EncoderShape& shape) {
  std::vector<double> costs;
  costs.reserve(data.train.size());
  for (const TrainingPocket& pocket : data.train) {
    costs.push_back(cost_of(data.graphs->graphs()[pocket.graph].counts, shape));
  }
  return costs;
}

std::size_t rank_in(const train::ProcessGroup* group) { return group != nullptr ? group->rank() : 0; }

/// Distributes pockets with these costs among the processes.
Shares shares(const std::vector<double>& costs, const train::ProcessGroup* group) {
  const std::vector<std::size_t> begins = shares_by_cost(costs, group != nullptr ? group->size() : 1);
  Shares ranges;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
    ranges.push_back({static_cast<std::int64_t>(begins[i]), static_cast<std::int64_t>(begins[i + 1])});
  }
  return ranges;
}

/// Validation runs without autocast, so its rows equal the rows of a later `pocket embed`.
PocketEncoder validating_encoder(const TrainingOptions& options,
                                 const std::vector<train::Parameter>& parameters) {
  if (options.device.is_gpu()) {
    std::map<std::string, ops::Floats> values;
    for (const auto& [name, value] : parameters) {
      values.emplace(name, torch::as_array(value.dim() == 0 ? value.detach().view({1}) : value.detach()));
    }
    return make_tensor_encoder(
        options.shape, [&](const std::string& name, const auto&) { return values.at(name); },
        torch::to_c10(options.device));
  }
  return [encoder = array_encoder(options.shape, parameters)](const Batch& batch) {
    return encoder.forward(as_arrays(batch));
  };
}

/// The mean of the physics losses over the batches, or 0 without energies.
double mean_batch_physics(const TrainingOptions& options, std::span<const EnergySums> pockets) {
  double sum = 0;
  std::size_t batches = 0;
  for (std::size_t first = 0; first < pockets.size(); first += options.batch_size, ++batches) {
    sum +=
        physics_loss(options, pockets.subspan(first, std::min(options.batch_size, pockets.size() - first)));
  }
  return batches == 0 ? 0 : sum / static_cast<double>(batches);
}

}  // namespace

std::filesystem::path best_model_file(const std::filesystem::path& run) {
  return run / "best_model.safetensors";
}

double clipping_norm(const TrainingOptions& options) {
  if (options.grad_clip > 0) {
    return options.grad_clip;
  }
  switch (options.loss.kind) {
    case PocketLoss::infonce:
      return 2;
    case PocketLoss::mse:
      return 1;
    case PocketLoss::cosine:
    case PocketLoss::cosine_mse:
      break;
  }
  return 1.5;
}

PocketModel::PocketModel(const TrainingData& data, const TrainingOptions& options, std::filesystem::path run,
                         memory::PhaseRecorder* phases, std::size_t threads, train::ProcessGroup* group)
    : data_(data),
      options_(options),
      run_(std::move(run)),
      phases_(phases),
      threads_(options.device.is_gpu() ? 1 : threads),
      group_(group),
      parameters_(trained_parameters(options, history_)),
      optimizer_(make_optimizer(parameters_, options.decoupled_decay)),
      costs_(costs_of(data, options.shape)),
      loader_(data, options.loader_threads) {
  if (group_ != nullptr) {
    shared_step_.emplace(*group_, parameters_.all());
    shared_validation_.emplace(*group_, std::vector<train::Parameter>{});
  }
}

train::StepOptions PocketModel::step_options() const {
  const train::PassRows rows{.width = data_.targets->width,
                             .rows = static_cast<std::int64_t>(std::min(
                                 options_.batch_size * options_.accumulation_steps, data_.train.size())),
                             .device = torch::to_c10(options_.device),
                             .threads = threads_,
                             .least_rows = pockets_of_a_shard(data_, options_.device)};
  train::StepOptions step = train::step_options(rows, options_.memory_saving, options_.strategy);
  step.clipping.norm = clipping_norm(options_);
  step.measure_norm = true;
  step.phases = phases_;
  return step;
}

std::size_t PocketModel::batches() const {
  const std::size_t batches = (data_.train.size() + options_.batch_size - 1) / options_.batch_size;
  return (batches + options_.accumulation_steps - 1) / options_.accumulation_steps;
}

std::vector<std::size_t> PocketModel::places_of(std::size_t step) const {
  std::vector<std::size_t> places;
  const std::size_t first = step * options_.accumulation_steps;
  for (std::size_t b = first; b < std::min(first + options_.accumulation_steps, order_.size()); ++b) {
    places.insert(places.end(), order_[b].begin(), order_[b].end());
  }
  return places;
}

Shares PocketModel::shares_of(const std::vector<std::size_t>& places) const {
  std::vector<double> costs;
  costs.reserve(places.size());
  for (const std::size_t place : places) {
    costs.push_back(costs_[place]);
  }
  return shares(costs, group_);
}

std::vector<TrainingPocket> PocketModel::own_pockets(const std::vector<std::size_t>& places) const {
  const train::RowRange own = shares_of(places)[rank_in(group_)];
  std::vector<TrainingPocket> pockets;
  for (std::int64_t i = own.first; i < own.last; ++i) {
    pockets.push_back(data_.train[places[static_cast<std::size_t>(i)]]);
  }
  return pockets;
}

std::int64_t PocketModel::rows(std::size_t step) const {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(own_pockets(places_of(step)).size()));
}

std::unique_ptr<train::Batch> PocketModel::draw(std::size_t step) {
  const std::vector<std::size_t> places = places_of(step);
  const std::vector<TrainingPocket> own = own_pockets(places);
  std::vector<TrainingPocket> all;
  all.reserve(places.size());
  for (const std::size_t place : places) {
    all.push_back(data_.train[place]);
  }
  PocketBatch::Work work{.parameters = parameters_.all(),
                         .sizes = {},
                         .targets = data_.targets_of(all),
                         .pockets = loader_.load(own),
                         .keys = {},
                         .shares = shares_of(places),
                         .rank = rank_in(group_),
                         .shared = shared_step_ ? &*shared_step_ : nullptr};
  if (step + 1 < batches()) {
    loader_.load_ahead(own_pockets(places_of(step + 1)));
  }
  const std::size_t first = step * options_.accumulation_steps;
  for (std::size_t b = first; b < std::min(first + options_.accumulation_steps, order_.size()); ++b) {
    work.sizes.push_back(static_cast<std::int64_t>(order_[b].size()));
  }
  const train::RowRange range = work.shares[work.rank];
  for (std::int64_t i = range.first; i < range.last; ++i) {
    work.keys.push_back(
        static_cast<std::int64_t>(ops::keyed_number(epoch_key_, places[static_cast<std::size_t>(i)])));
  }
  return std::make_unique<PocketBatch>(std::move(work), options_, sums_);
}

void PocketModel::encode_validation() {
  const PocketEncoder encode = validating_encoder(options_, parameters_.all());
  std::vector<double> costs;
  costs.reserve(data_.validation.size());
  for (const TrainingPocket& pocket : data_.validation) {
    costs.push_back(cost_of(data_.graphs->graphs()[pocket.graph].counts, options_.shape));
  }
  const Shares all = shares(costs, group_);
  const train::RowRange own = all[rank_in(group_)];
  const std::int64_t count = own.last - own.first;
  const bool has_energies = options_.physics_weight > 0;
  at::Tensor rows = at::empty({count, options_.shape.output});
  at::Tensor energies = at::zeros({count, std::tuple_size_v<EnergySums>}, at::kDouble);
  parallel_for(static_cast<std::size_t>(count), threads_, [&](std::size_t i) {
    const std::size_t graph = data_.validation[static_cast<std::size_t>(own.first) + i].graph;
    const Batch batch =
        arrange(data_.graphs->load(graph, data_.normalization), data_.graphs->graphs()[graph].name);
    const ops::Floats row = encode(batch);
    const auto place = static_cast<std::int64_t>(i);
    std::copy_n(row.data(), row.width(), rows.data_ptr<float>() + place * row.width());
    if (has_energies) {
      at::set_num_threads(1);  // a new thread begins with the default of OpenMP
      const EnergySums sums = energy_sums(batch);
      std::copy(sums.begin(), sums.end(), energies.data_ptr<double>() + place * energies.size(1));
    }
  });
  if (shared_validation_) {
    rows = shared_validation_->gather("rows", rows, all);
    energies = has_energies ? shared_validation_->gather("energies", energies, all) : at::Tensor();
  }
  validation_rows_ = rows;
  validation_energies_ = energies;
}

double PocketModel::validate() {
  const auto phase = memory::begin_step(phases_, "validation");
  encode_validation();
  const ops::Floats rows = torch::as_array(validation_rows_), targets = data_.targets_of(data_.validation);
  std::vector<EnergySums> energies(options_.physics_weight > 0 ? data_.validation.size() : 0);
  if (!energies.empty()) {
    std::memcpy(energies.data(), validation_energies_.data_ptr(), energies.size() * sizeof(EnergySums));
  }
  validation_ = part_loss(options_.loss, rows, targets);
  if (!energies.empty()) {
    validation_.loss += physics_loss(options_, energies);
  }
  python_validation_loss_ = mean_batch_loss(options_.loss, rows, targets, options_.batch_size) +
                            mean_batch_physics(options_, energies);
  if (group_ != nullptr) {
    // All processes use the results of the first process. Otherwise, rounding on different CPUs could make
    // them choose different best epochs.
    at::Tensor figures = at::tensor(
        {validation_.loss, validation_.cosine, validation_.accuracy, python_validation_loss_}, at::kDouble);
    group_->broadcast(figures, 0);
    validation_.loss = figures.data_ptr<double>()[0];
    validation_.cosine = figures.data_ptr<double>()[1];
    validation_.accuracy = figures.data_ptr<double>()[2];
    python_validation_loss_ = figures.data_ptr<double>()[3];
    shared_validation_->next();
  }
  validation_rows_.reset();
  validation_energies_.reset();
  if (!std::isfinite(validation_.loss)) {
    throw Error("the validation loss is no longer a finite number. Choose a smaller learning rate (--lr)");
  }
  return -validation_.loss;
}

void PocketModel::keep_best() {
  if (!is_first()) {
    return;
  }
  io::TensorMap tensors;
  parameters_.save(tensors, "");
  best_ = std::move(tensors);
}

void PocketModel::begin(const train::TrainingState& state) {
  if (is_first() && options_.loss.kind == PocketLoss::infonce &&
      count_ligands(data_.targets_of(data_.validation)) == 1) {
    log_warning(
        "the validation pockets have only one ligand, so the validation loss is 1 - cosine. To validate with "
        "the training loss, choose a larger --val-ratio");
  }
  display_.emplace("train", "step", options_.epochs * batches(), options_.quiet || !is_first());
  display_->skip(state.epoch * batches() + state.batches);
}

void PocketModel::begin_epoch(const train::TrainingState& state) {
  epoch_key_ = ops::keyed_number(ops::mix(options_.seed), state.epoch);
  order_ = batches_by_cost(costs_, options_.batch_size, epoch_key_);
}

void PocketModel::after_batch(const train::TrainingState& state, double gradient_norm) {
  if (!std::isfinite(gradient_norm)) {
    throw Error("the gradient is no longer finite. Choose a smaller learning rate (--lr)");
  }
  sums_.gradient_norm += gradient_norm;
  ++sums_.steps;
  if (options_.monitor_gradients && is_first()) {
    log_info("step {}: gradient norm {:.6g}", state.optimizer_steps, gradient_norm);
  }
  display_->set_note(fmt::format("epoch {}/{}, loss {:.4f}", state.epoch + 1, options_.epochs,
                                 sums_.loss / static_cast<double>(sums_.batches)));
  display_->advance(1);
}

void PocketModel::end_epoch(const train::TrainingState& state) {
  const auto batches = static_cast<double>(sums_.batches);
  EpochRecord record{.train_loss = sums_.loss / batches,
                     .validation_loss = validation_.loss,
                     .validation_cosine = validation_.cosine,
                     .validation_accuracy = validation_.accuracy,
                     .python_validation_loss = python_validation_loss_,
                     .learning_rate = parameters_.groups().front().options.rate(state.clock()),
                     .gradient_norm = sums_.gradient_norm / static_cast<double>(sums_.steps),
                     .physics_loss = sums_.physics / batches,
                     .train_accuracy = sums_.accuracy / batches,
                     .path_weights = {}};
  for (const auto& [name, value] : parameters_.all()) {
    if (value.dim() == 0) {
      record.path_weights.push_back(value.item<double>());
    }
  }
  history_.push_back(std::move(record));
  sums_ = {};
}

void PocketModel::after_epoch(const train::TrainingState& state, double seconds) {
  if (!is_first()) {
    return;
  }
  const EpochRecord& record = history_.back();
  log_info("epoch {}/{}: train loss {:.6f}, validation loss {:.6f}, cosine {:.4f}{}, elapsed {}", state.epoch,
           options_.epochs, record.train_loss, record.validation_loss, record.validation_cosine,
           state.best_epoch + 1 == state.epoch ? " (best)" : "", format_duration(seconds));
}

void PocketModel::save(train::Checkpoint& checkpoint) const {
  checkpoint.progress["history"] = history_as_json(history_);
  checkpoint.progress["sums"] = {sums_.loss,          sums_.physics, sums_.accuracy,
                                 sums_.gradient_norm, sums_.batches, sums_.steps};
}

void PocketModel::restore(const train::Checkpoint& checkpoint, const std::string& /*file*/) {
  history_ = history_in(checkpoint.progress.at("history"));
  const nlohmann::json& sums = checkpoint.progress.at("sums");
  sums_ = {sums.at(0).get<double>(), sums.at(1).get<double>(),      sums.at(2).get<double>(),
           sums.at(3).get<double>(), sums.at(4).get<std::size_t>(), sums.at(5).get<std::size_t>()};
}

void PocketModel::write_best() {
  if (best_) {
    io::write_safetensors(best_model_file(run_), *best_, {{"format", kEncoderFormat}});
    best_.reset();
  }
}

void PocketModel::write_curve() { replace_file(run_ / kHistoryFile, json_text(history_as_json(history_))); }

void PocketModel::require_best(const std::filesystem::path& checkpoint) const {
  const std::filesystem::path best = best_model_file(run_);
  if (!std::filesystem::exists(best)) {
    throw InputError(fmt::format("{}: missing, although {} was written after it. {}", best.string(),
                                 checkpoint.string(), kRestartRemedy));
  }
  require_intact(best, kRestartRemedy);
}

void PocketModel::remove_files() {
  std::filesystem::remove(best_model_file(run_));
  std::filesystem::remove(run_ / kHistoryFile);
  std::filesystem::remove(run_ / "training_stats.json");
}

}  // namespace molgauge::pocket
