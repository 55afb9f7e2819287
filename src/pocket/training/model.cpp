#include "pocket/training/model.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "core/duration.h"
#include "core/error.h"
#include "core/folder_checksums.h"
#include "core/json_text.h"
#include "core/log.h"
#include "core/worker_group.h"
#include "io/tensors/safetensors.h"
#include "ops/training/layer_kernels.h"
#include "pocket/training/batches.h"
#include "pocket/training/parameters.h"
#include "torch/arrays.h"
#include "train/adam.h"
#include "train/adamw.h"
#include "train/step_options.h"

namespace headroom::pocket {
namespace {

constexpr const char* kWayOut = "begin anew with --restart";

/// `history` outlives the parameters: the rate follows from it.
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
  for (const TrainingPocket& pocket : data.train) {
    costs.push_back(cost_of(data.graphs->graphs()[pocket.graph].counts, shape));
  }
  return costs;
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
    case LossKind::infonce:
      return 2;
    case LossKind::mse:
      return 1;
    case LossKind::cosine:
    case LossKind::cosine_mse:
      break;
  }
  return 1.5;
}

PocketModel::PocketModel(const TrainingData& data, const TrainingOptions& options, std::filesystem::path run,
                         memory::PhaseRecorder* phases, std::size_t threads)
    : data_(data),
      options_(options),
      run_(std::move(run)),
      phases_(phases),
      threads_(threads),
      parameters_(trained_parameters(options, history_)),
      optimizer_(make_optimizer(parameters_, options.decoupled_decay)),
      costs_(costs_of(data, options.shape)),
      loader_(data, options.loader_threads) {}

train::StepOptions PocketModel::step_options() const {
  const train::PassRows rows{.width = data_.targets->width,
                             .rows = static_cast<std::int64_t>(std::min(
                                 options_.batch_size * options_.accumulation_steps, data_.train.size())),
                             .device = at::kCPU,
                             .threads = threads_,
                             .least_rows = 1};
  train::StepOptions step = train::step_options(rows, options_.frugality, options_.way);
  step.clipping.norm = clipping_norm(options_);
  step.measure_norm = true;
  step.phases = phases_;
  return step;
}

std::size_t PocketModel::batches() const {
  const std::size_t batches = (data_.train.size() + options_.batch_size - 1) / options_.batch_size;
  return (batches + options_.accumulation_steps - 1) / options_.accumulation_steps;
}

std::vector<TrainingPocket> PocketModel::pockets_of(std::size_t step) const {
  std::vector<TrainingPocket> pockets;
  const std::size_t first = step * options_.accumulation_steps;
  for (std::size_t b = first; b < std::min(first + options_.accumulation_steps, order_.size()); ++b) {
    for (const std::size_t place : order_[b]) {
      pockets.push_back(data_.train[place]);
    }
  }
  return pockets;
}

std::int64_t PocketModel::rows(std::size_t step) const {
  return static_cast<std::int64_t>(pockets_of(step).size());
}

std::unique_ptr<train::Batch> PocketModel::draw(std::size_t step) {
  const std::vector<TrainingPocket> pockets = pockets_of(step);
  PocketBatch::Work work{.parameters = parameters_.all(),
                         .sizes = {},
                         .pockets = loader_.load(pockets),
                         .targets = data_.targets_of(pockets),
                         .keys = {}};
  if (step + 1 < batches()) {
    loader_.load_ahead(pockets_of(step + 1));
  }
  const std::size_t first = step * options_.accumulation_steps;
  for (std::size_t b = first; b < std::min(first + options_.accumulation_steps, order_.size()); ++b) {
    work.sizes.push_back(static_cast<std::int64_t>(order_[b].size()));
    for (const std::size_t place : order_[b]) {
      work.keys.push_back(static_cast<std::int64_t>(ops::keyed_number(epoch_key_, place)));
    }
  }
  return std::make_unique<PocketBatch>(std::move(work), options_, sums_);
}

double PocketModel::validate() {
  const auto phase = memory::begin_step(phases_, "validation");
  const Encoder<ArrayOperators> encoder = array_encoder(options_.shape, parameters_.all());
  const std::vector<TrainingPocket>& pockets = data_.validation;
  const auto count = static_cast<std::int64_t>(pockets.size());
  ops::Floats rows{count, options_.shape.output};
  LoadedPockets loaded(pockets.size());
  parallel_for(pockets.size(), threads_, [&](std::size_t i) {
    const std::size_t graph = pockets[i].graph;
    const auto batch = std::make_shared<const Batch>(
        arrange(data_.graphs->load(graph, data_.normalization), data_.graphs->graphs()[graph].name));
    const ops::Floats row = encoder.forward(as_arrays(*batch));
    std::copy_n(row.data(), row.width(), rows.data() + static_cast<std::int64_t>(i) * row.width());
    if (options_.physics_weight > 0) {
      loaded[i] = batch;
    }
  });
  const ops::Floats targets = data_.targets_of(pockets);
  // The mean over batches, of which a short last one counts as much, as the Python project has it.
  validation_ = {};
  validation_physics_ = 0;
  std::int64_t batches = 0;
  const auto most = static_cast<std::int64_t>(options_.batch_size);
  for (std::int64_t first = 0; first < count; first += most, ++batches) {
    const std::int64_t size = std::min(most, count - first);
    const auto part = [&](ops::Floats all) {
      return ops::Floats::view(all.data() + first * all.width(), {size, all.width()});
    };
    const LossValue value = row_loss(options_.loss, part(rows), part(targets), nullptr);
    validation_.loss += value.loss;
    validation_.cosine += value.cosine;
    if (options_.physics_weight > 0) {
      validation_physics_ += physics_loss(options_, {loaded.begin() + first, loaded.begin() + first + size});
    }
  }
  validation_.loss = (validation_.loss + validation_physics_) / static_cast<double>(batches);
  validation_.cosine /= static_cast<double>(batches);
  if (!std::isfinite(validation_.loss)) {
    throw Error("the validation loss is no longer a finite number; choose a smaller learning rate (--lr)");
  }
  return -validation_.loss;
}

void PocketModel::keep_best() {
  io::TensorMap tensors;
  parameters_.save(tensors, "");
  best_ = std::move(tensors);
}

void PocketModel::begin(const train::TrainingState& state) {
  display_.emplace("train", "step", options_.epochs * batches(), options_.quiet);
  display_->skip(state.epoch * batches() + state.batches);
}

void PocketModel::begin_epoch(const train::TrainingState& state) {
  epoch_key_ = ops::keyed_number(ops::mix(options_.seed), state.epoch);
  order_ = batches_by_cost(costs_, options_.batch_size, epoch_key_);
}

void PocketModel::after_batch(const train::TrainingState& state, double gradient_norm) {
  if (!std::isfinite(gradient_norm)) {
    throw Error("the gradient is no longer finite; choose a smaller learning rate (--lr)");
  }
  sums_.gradient_norm += gradient_norm;
  ++sums_.steps;
  if (options_.monitor_gradients) {
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
  const EpochRecord& record = history_.back();
  log_info("epoch {}/{}: train loss {:.6f}, validation loss {:.6f}, cosine {:.4f}{}; elapsed {}", state.epoch,
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
    io::write_safetensors(best_model_file(run_), *best_, {{"format", "headroom pocket encoder 1"}});
    best_.reset();
  }
}

void PocketModel::write_curve() { replace_file(run_ / kHistoryFile, json_text(history_as_json(history_))); }

void PocketModel::require_best(const std::filesystem::path& checkpoint) const {
  const std::filesystem::path best = best_model_file(run_);
  if (!std::filesystem::exists(best)) {
    throw InputError(fmt::format("{}: missing, although {} was written after it; {}", best.string(),
                                 checkpoint.string(), kWayOut));
  }
  require_intact(best, kWayOut);
}

void PocketModel::remove_files() {
  std::filesystem::remove(best_model_file(run_));
  std::filesystem::remove(run_ / kHistoryFile);
}

}  // namespace headroom::pocket
