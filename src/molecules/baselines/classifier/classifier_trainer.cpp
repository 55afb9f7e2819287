#include "molecules/baselines/classifier/classifier_trainer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>

#include "base/core/error.h"
#include "base/core/random/numpy_random.h"
#include "base/core/text/duration.h"
#include "base/memory/recover/recovery.h"
#include "base/numerics/ops/training/keyed_numbers.h"
#include "base/numerics/torch/allocator_access.h"
#include "base/numerics/torch/operator_threads.h"
#include "base/train/trainer.h"
#include "molecules/baselines/classifier/classifier_pass.h"
#include "molecules/baselines/classifier/objective.h"

namespace molgauge::baselines {
namespace {

std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }

void require_features(const LabelledFeatures& part, const char* name) {
  if (part.features.dim() != 2 || part.features.size(0) == 0) {
    throw InputError(std::string(name) + ": no molecules to train a classifier with");
  }
  // The minimum and the maximum are finite only if all features are. A mask of all features would need much
  // memory.
  if (!at::isfinite(part.features.amin() + 0 * part.features.amax()).item<bool>()) {
    throw InputError(std::string(name) +
                     ": a feature is not a finite number. Leave out molecules that failed");
  }
}

void require_fitting(const ClassifierData& data) {
  require_features(data.train, "train");
  require_features(data.validation, "validation");
  require_trainable(data.train.labels, data.train.features.size(0), "train");
  if (data.validation.features.size(1) != data.train.features.size(1) ||
      data.validation.labels.rows() != data.validation.features.size(0) ||
      data.validation.labels.outputs != data.train.labels.outputs) {
    throw InputError("validation: features or labels have another shape or type than in training");
  }
}

std::unique_ptr<Objective> make_objective(const Labels& labels, const TrainedParameters& parameters,
                                          const ClassifierOptions& options) {
  if (options.objective == ObjectiveKind::auc_margin) {
    return make_auc_objective(labels, parameters, options.pesg, options.seed);
  }
  return make_supervised_objective(labels, parameters, options.adam);
}

/// Copies the rows of features and labels of a batch.
class BatchGatherer {
 public:
  BatchGatherer(const LabelledFeatures& data, std::int64_t most_rows)
      : data_(data),
        features_(at::empty({most_rows, data.features.size(1)}, at::kFloat)),
        labels_(at::empty({most_rows, data.labels.values.size(1)}, at::kFloat)) {}

  void gather(std::span<const std::size_t> rows) {
    copy(data_.features, rows, features_);
    copy(data_.labels.values, rows, labels_);
  }
  at::Tensor features(std::size_t rows) const {
    return features_.narrow(0, 0, static_cast<std::int64_t>(rows));
  }
  const float* labels() const { return labels_.data_ptr<float>(); }

 private:
  static void copy(const at::Tensor& from, std::span<const std::size_t> rows, const at::Tensor& to) {
    const std::size_t width = size(from.size(1));
    const float* const source = from.data_ptr<float>();
    auto* target = to.data_ptr<float>();
    for (const std::size_t row : rows) {
      std::memcpy(target, source + row * width, width * sizeof(float));
      target += width;
    }
  }
  const LabelledFeatures& data_;
  at::Tensor features_, labels_;
};

/// Returns true if all rows have the same predicted class. If the labels are tasks, returns true if all rows
/// have the same answer in at least one task.
bool has_one_answer(const LabelledLogits& batch, LabelKind kind) {
  const std::size_t outputs = batch.outputs;
  if (kind == LabelKind::classes) {
    const auto answer = [&](std::size_t i) {
      const float* const z = batch.logits + i * outputs;
      return std::max_element(z, z + outputs) - z;
    };
    for (std::size_t i = 1; i < batch.rows; ++i) {
      if (answer(i) != answer(0)) {
        return false;
      }
    }
    return true;
  }
  for (std::size_t task = 0; task < outputs; ++task) {
    std::size_t positive = 0;
    for (std::size_t i = 0; i < batch.rows; ++i) {
      positive += batch.logits[i * outputs + task] > 0 ? 1 : 0;
    }
    if (positive == 0 || positive == batch.rows) {
      return true;
    }
  }
  return false;
}

bool all_finite(const LabelledLogits& batch) {
  return std::all_of(batch.logits, batch.logits + batch.rows * batch.outputs,
                     [](float logit) { return std::isfinite(logit); });
}

void require_finite(bool is_finite, const char* what) {
  if (!is_finite) {
    throw Error(std::string("the classifier's ") + what +
                " is no longer a finite number. Choose a smaller learning rate");
  }
}

/// The working arrays of a batch. All batches share them, so a step allocates nothing.
struct BatchArrays {
  BatchArrays(const ClassifierData& data, Classifier& classifier, std::int64_t most_rows)
      : pass(classifier, most_rows),
        rows(data.train, most_rows),
        logit_gradient(at::empty({most_rows, data.train.labels.outputs}, at::kFloat)) {}

  ClassifierPass pass;
  BatchGatherer rows;
  at::Tensor logit_gradient;
  std::vector<std::uint64_t> row_keys;
};

class ClassifierBatch final : public train::Batch {
 public:
  /// Makes a batch of the rows with these indices. `key`: dropout key of the epoch. commit() adds the loss to
  /// `total_loss`.
  ClassifierBatch(BatchArrays& arrays, std::span<const std::size_t> rows, std::uint64_t key, double dropout,
                  Objective& objective, ClassifierParameters& gradient, double& total_loss)
      : arrays_(arrays),
        count_(rows.size()),
        dropout_(dropout),
        objective_(objective),
        gradient_(gradient),
        total_loss_(total_loss) {
    arrays.rows.gather(rows);
    arrays.row_keys.clear();
    for (const std::size_t row : rows) {
      arrays.row_keys.push_back(ops::keyed_number(key, row));
    }
  }

  void forward(const train::PassPlan& /*plan*/) override {
    const at::Tensor& logits = arrays_.pass.forward(arrays_.rows.features(count_), NormalizationMode::batch,
                                                    {dropout_, arrays_.row_keys, 0});
    loss_ = objective_.loss({logits.data_ptr<float>(), arrays_.rows.labels(), count_, size(logits.size(1))},
                            slope().data_ptr<float>());
  }
  void backward(double /*factor*/) override {
    arrays_.pass.backward(arrays_.rows.features(count_), slope(), gradient_);
  }
  void commit() noexcept override { total_loss_ += loss_; }

 private:
  at::Tensor slope() const { return arrays_.logit_gradient.narrow(0, 0, static_cast<std::int64_t>(count_)); }

  BatchArrays& arrays_;
  std::size_t count_;
  double dropout_;
  Objective& objective_;
  ClassifierParameters& gradient_;
  double& total_loss_;
  double loss_ = 0;
};

/// A classifier in training: its data, the order of its rows, and the results of its epochs.
class ClassifierModel final : public train::Model {
 public:
  ClassifierModel(const ClassifierData& data, const ClassifierOptions& options,
                  const std::function<void(std::size_t epoch)>& after_epoch)
      : data_(data),
        options_(options),
        after_epoch_(after_epoch),
        classifier_({data.train.features.size(1), options.hidden, options.layers, data.train.labels.outputs},
                    options.seed),
        gradient_(classifier_.shape()),
        objective_(make_objective(data.train.labels, trained(), options)),
        parameters_(trained().named({})),
        rows_(size(data.train.features.size(0))),
        most_rows_(most_batch_rows(options, rows_)),
        arrays_(data, classifier_, static_cast<std::int64_t>(most_rows_)),
        validation_pass_(classifier_, std::min(data.validation.features.size(0), kValidationRows)),
        validation_logits_(
            at::empty({data.validation.features.size(0), data.train.labels.outputs}, at::kFloat)),
        training_{.best = classifier_.copy()} {
    training_.selection = objective_->selection_name();
  }

  /// Returns the result after the training has ended. The model must not be used afterwards.
  ClassifierTraining take() { return std::move(training_); }

  const train::Parameters& parameters() const override { return parameters_; }
  train::Optimizer& optimizer() override { return objective_->optimizer(); }

  std::size_t batches() const override {
    return rows_ <= most_rows_ ? 1 : 1 + (rows_ - most_rows_ + options_.batch_size - 1) / options_.batch_size;
  }
  std::int64_t rows(std::size_t batch) const override {
    const std::size_t left = rows_ - batch * options_.batch_size;
    return static_cast<std::int64_t>(left <= most_rows_ ? left : options_.batch_size);
  }
  std::unique_ptr<train::Batch> draw(std::size_t batch) override {
    return std::make_unique<ClassifierBatch>(
        arrays_, std::span(order_).subspan(batch * options_.batch_size, size(rows(batch))), epoch_key_,
        options_.dropout, *objective_, gradient_, total_loss_);
  }

  void begin_epoch(const train::TrainingState& state) override {
    epoch_key_ = ops::keyed_number(ops::mix(options_.seed), state.epoch);
    order_ = NumpyRandom(epoch_key_).choose(rows_, rows_);
    total_loss_ = 0;
  }

  double validate() override {
    require_finite(std::isfinite(mean_loss()), "loss");
    const at::Tensor& features = data_.validation.features;
    for (std::int64_t first = 0; first < features.size(0); first += kValidationRows) {
      const std::int64_t count = std::min(kValidationRows, features.size(0) - first);
      validation_logits_.narrow(0, first, count)
          .copy_(validation_pass_.forward(features.narrow(0, first, count)));
    }
    // The AUC-margin loss can be finite even if the parameters after the last step are not.
    require_finite(all_finite(validation()), "output");
    return objective_->selection(validation());
  }

  void keep_best() override {
    training_.best = classifier_.copy();
    const LabelKind kind = data_.train.labels.kind;
    training_.collapsed = kind != LabelKind::continuous && has_one_answer(validation(), kind);
  }

  void end_epoch(const train::TrainingState& /*state*/) override {
    training_.epoch_losses.push_back(mean_loss());
  }

  void after_epoch(const train::TrainingState& state, double /*seconds*/) override {
    if (after_epoch_) {
      after_epoch_(state.epoch - 1);
    }
  }

 private:
  /// Mean loss over the batches of the epoch.
  double mean_loss() const { return total_loss_ / static_cast<double>(batches()); }

  TrainedParameters trained() { return {classifier_.parameters(), gradient_}; }

  LabelledLogits validation() const {
    return {validation_logits_.data_ptr<float>(), data_.validation.labels.values.data_ptr<float>(),
            size(validation_logits_.size(0)), size(validation_logits_.size(1))};
  }

  const ClassifierData& data_;
  const ClassifierOptions& options_;
  const std::function<void(std::size_t epoch)>& after_epoch_;
  Classifier classifier_;
  ClassifierParameters gradient_;
  std::unique_ptr<Objective> objective_;
  train::Parameters parameters_;
  std::size_t rows_, most_rows_;
  BatchArrays arrays_;
  ClassifierPass validation_pass_;
  at::Tensor validation_logits_;
  std::vector<std::size_t> order_;
  std::uint64_t epoch_key_ = 0;
  double total_loss_ = 0;  ///< sum over the batches of the running epoch
  ClassifierTraining training_;
};

memory::Workload workload_of(const ClassifierData& data) {
  memory::Workload workload;
  workload.name = "making a classifier";
  workload.largest_contributor = [rows = data.train.features.size(0)](std::size_t) {
    return "the features of the " + std::to_string(rows) + " training molecules";
  };
  return workload;
}

}  // namespace

void validate(const ClassifierOptions& options) {
  const auto require = [](bool fine, const char* text) {
    if (!fine) {
      throw UsageError(text);
    }
  };
  require(options.hidden >= 1, "hidden-channels must be at least 1");
  require(options.layers >= 2, "num-layers must be at least 2");
  require(options.dropout >= 0 && options.dropout < 1, "dropout must be at least 0 and below 1");
  require(options.epochs >= 1, "epochs must be at least 1");
  require(options.batch_size >= 1, "batch-size must be at least 1");
  require(options.patience >= 1, "patience must be at least 1");
  require(options.adam.learning_rate > 0, "lr must be above 0");
  require(options.adam.weight_decay >= 0, "weight-decay must be at least 0");
  require(options.pesg.learning_rate > 0, "dam-lr must be above 0");
  require(options.pesg.margin > 0, "dam-margin must be above 0");
}

std::size_t most_batch_rows(const ClassifierOptions& options, std::size_t molecules) {
  return options.batch_size < molecules ? options.batch_size + 1 : molecules;
}

ClassifierTraining train_classifier(const ClassifierData& data, const ClassifierOptions& options,
                                    const std::function<void(std::size_t epoch)>& after_epoch) {
  validate(options);
  const c10::NoGradGuard no_gradient;
  const torch::OperatorThreads serial(1);
  const Stopwatch watch;
  memory::Recovery recovery(workload_of(data), torch::allocator_access(c10::kCPU));
  std::optional<ClassifierModel> model;
  recovery.retry_until_fits("making a classifier", [&] {
    require_fitting(data);
    model.emplace(data, options, after_epoch);
  });
  train::TrainerOptions trainer_options;
  trainer_options.epochs = options.epochs;
  trainer_options.patience = options.patience;
  trainer_options.step.measure_norm = false;
  trainer_options.step.allocator = torch::allocator_access(c10::kCPU);
  train::Trainer trainer(*model, trainer_options);
  trainer.run();
  ClassifierTraining result = model->take();
  result.epochs_run = trainer.state().epoch;
  result.best_epoch = trainer.state().best_epoch;
  result.best_selection = trainer.state().stopping.best;
  result.stopped_early = result.epochs_run < options.epochs;
  result.oom_recoveries = recovery.counts().recoveries + trainer.memory().recoveries;
  result.seconds = watch.seconds();
  return result;
}

}  // namespace molgauge::baselines
