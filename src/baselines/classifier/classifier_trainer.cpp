#include "baselines/classifier/classifier_trainer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>

#include "baselines/classifier/classifier_pass.h"
#include "baselines/classifier/objective.h"
#include "core/cancellation.h"
#include "core/duration.h"
#include "core/error.h"
#include "core/random/numpy_random.h"
#include "memory/recover/recovery.h"
#include "torch/allocator_access.h"
#include "torch/operator_threads.h"

namespace headroom::baselines {
namespace {

std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }

void require_features(const LabelledFeatures& part, const char* name) {
  if (part.features.dim() != 2 || part.features.size(0) == 0) {
    throw InputError(std::string(name) + ": no molecules to train a classifier with");
  }
  // Extremes take no memory; a mask of all numbers takes as much as the features.
  if (!at::isfinite(part.features.amin() + 0 * part.features.amax()).item<bool>()) {
    throw InputError(std::string(name) +
                     ": a feature is not a finite number; leave out molecules that failed");
  }
}

void require_fitting(const ClassifierData& data) {
  require_features(data.train, "train");
  require_features(data.validation, "validation");
  require_trainable(data.train.labels, data.train.features.size(0), "train");
  if (data.validation.features.size(1) != data.train.features.size(1) ||
      data.validation.labels.rows() != data.validation.features.size(0) ||
      data.validation.labels.outputs != data.train.labels.outputs) {
    throw InputError("validation: features or labels are not like those of the training molecules");
  }
}

std::unique_ptr<Objective> make_objective(const Labels& labels, std::int64_t parameters,
                                          const ClassifierOptions& options) {
  if (options.objective == ObjectiveKind::auc_margin) {
    return make_auc_objective(labels, size(parameters), options.pesg, options.seed);
  }
  return make_supervised_objective(labels, size(parameters), options.adam);
}

/// Copies the rows of features and labels that a batch consists of.
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
    float* target = to.data_ptr<float>();
    for (const std::size_t row : rows) {
      std::memcpy(target, source + row * width, width * sizeof(float));
      target += width;
    }
  }
  const LabelledFeatures& data_;
  at::Tensor features_, labels_;
};

class Training {
 public:
  Training(const ClassifierData& data, const ClassifierOptions& options)
      : data_(data),
        options_(options),
        classifier_({data.train.features.size(1), options.hidden, options.layers, data.train.labels.outputs},
                    options.seed),
        gradient_(classifier_.shape()),
        objective_(make_objective(data.train.labels, gradient_.all.numel(), options)),
        most_rows_(static_cast<std::int64_t>(most_batch_rows(options, size(data.train.features.size(0))))),
        pass_(classifier_, most_rows_),
        validation_pass_(classifier_, std::min(data.validation.features.size(0), kValidationRows)),
        batch_(data.train, most_rows_),
        validation_logits_(
            at::empty({data.validation.features.size(0), data.train.labels.outputs}, at::kFloat)),
        logit_gradient_(at::empty({most_rows_, data.train.labels.outputs}, at::kFloat)) {}

  const Classifier& classifier() const { return classifier_; }
  const Objective& objective() const { return *objective_; }

  /// Mean loss over the batches.
  double run_epoch(std::size_t epoch) {
    const std::size_t rows = size(data_.train.features.size(0));
    const std::uint64_t key = keyed_number(mix(options_.seed), epoch);
    const std::vector<std::size_t> order = NumpyRandom(key).choose(rows, rows);
    double total = 0, batches = 0;
    for (std::size_t first = 0; first < rows; ++batches) {
      const std::size_t count = batch_rows(rows - first);
      total += step(std::span(order).subspan(first, count), key);
      first += count;
    }
    return total / batches;
  }

  LabelledLogits validate() {
    const at::Tensor& features = data_.validation.features;
    for (std::int64_t first = 0; first < features.size(0); first += kValidationRows) {
      const std::int64_t rows = std::min(kValidationRows, features.size(0) - first);
      validation_logits_.narrow(0, first, rows)
          .copy_(validation_pass_.forward(features.narrow(0, first, rows)));
    }
    return {validation_logits_.data_ptr<float>(), data_.validation.labels.values.data_ptr<float>(),
            size(validation_logits_.size(0)), size(validation_logits_.size(1))};
  }

 private:
  std::size_t batch_rows(std::size_t left) const {
    return left <= size(most_rows_) ? left : options_.batch_size;
  }

  double step(std::span<const std::size_t> rows, std::uint64_t key) {
    batch_.gather(rows);
    row_keys_.clear();
    for (const std::size_t row : rows) {
      row_keys_.push_back(keyed_number(key, row));
    }
    const at::Tensor features = batch_.features(rows.size());
    const at::Tensor& logits =
        pass_.forward(features, NormalizationMode::batch, {options_.dropout, row_keys_, 0});
    const at::Tensor slope = logit_gradient_.narrow(0, 0, logits.size(0));
    const double loss =
        objective_->loss({logits.data_ptr<float>(), batch_.labels(), rows.size(), size(logits.size(1))},
                         slope.data_ptr<float>());
    pass_.backward(features, slope, gradient_);
    objective_->step(classifier_.parameters(), gradient_);
    return loss;
  }

  const ClassifierData& data_;
  const ClassifierOptions& options_;
  Classifier classifier_;
  ClassifierParameters gradient_;
  std::unique_ptr<Objective> objective_;
  std::int64_t most_rows_;
  ClassifierPass pass_, validation_pass_;
  BatchGatherer batch_;
  at::Tensor validation_logits_, logit_gradient_;
  std::vector<std::uint64_t> row_keys_;
};

/// Whether one answer, a class or a task's yes or no, is the same for all rows.
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
                " is no longer a finite number; choose a smaller learning rate");
  }
}

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
  std::optional<Training> made;
  std::optional<Classifier> best;
  recovery.insist("making a classifier", [&] {
    require_fitting(data);
    made.emplace(data, options);
    best = made->classifier().copy();
  });
  Training& training = *made;
  ClassifierTraining result{.best = std::move(*best)};
  result.selection = training.objective().selection_name();
  result.best_selection = -std::numeric_limits<double>::infinity();
  std::size_t without_gain = 0;
  while (result.epochs_run < options.epochs && without_gain < options.patience) {
    throw_if_cancelled();
    const std::size_t epoch = result.epochs_run++;
    result.epoch_losses.push_back(training.run_epoch(epoch));
    require_finite(std::isfinite(result.epoch_losses.back()), "loss");
    const LabelledLogits validation = training.validate();
    // The AUC-margin loss can stay finite when the last step's parameters no longer are.
    require_finite(all_finite(validation), "output");
    const double selection = training.objective().selection(validation);
    ++without_gain;
    if (selection > result.best_selection) {
      without_gain = 0;
      recovery.insist("keeping the best classifier", [&] { result.best = training.classifier().copy(); });
      result.best_epoch = epoch;
      result.best_selection = selection;
      result.collapsed = data.train.labels.kind != LabelKind::continuous &&
                         has_one_answer(validation, data.train.labels.kind);
    }
    if (after_epoch) {
      after_epoch(epoch);
    }
  }
  result.stopped_early = result.epochs_run < options.epochs;
  result.oom_recoveries = recovery.counts().recoveries;
  result.seconds = watch.seconds();
  return result;
}

}  // namespace headroom::baselines
