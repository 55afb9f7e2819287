#include "baselines/classifier/objective.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.h"
#include "ood/metrics/metrics.h"
#include "train/adam.h"

namespace headroom::baselines {
namespace {

std::span<float> numbers_of(const at::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

/// The questions that a classifier's logits answer, one column of scores with labels 0, 1 or NaN each.
/// Two classes: column 1 alone. More classes: every class against the rest. Tasks: every task.
class ScoreColumns {
 public:
  ScoreColumns(LabelKind kind, std::size_t outputs);

  std::size_t count() const { return kind_ == LabelKind::classes && outputs_ == 2 ? 1 : outputs_; }
  std::vector<float> scores(const LabelledLogits& batch, std::size_t column) const;
  std::vector<float> labels(const LabelledLogits& batch, std::size_t column) const;
  /// The output that a column's scores come from.
  std::size_t output_of(std::size_t column) const { return count() == 1 && outputs_ == 2 ? 1 : column; }

 private:
  LabelKind kind_;
  std::size_t outputs_;
};

double auroc(const std::vector<float>& scores, const std::vector<float>& labels) {
  std::vector<float> negatives, positives;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (labels[i] == 1) {
      positives.push_back(scores[i]);
    } else if (labels[i] == 0) {
      negatives.push_back(scores[i]);
    }
  }
  return negatives.empty() || positives.empty()
             ? -1
             : ood::detection_metrics(std::span<const float>(negatives), std::span<const float>(positives))
                   .auroc;
}

ScoreColumns::ScoreColumns(LabelKind kind, std::size_t outputs) : kind_(kind), outputs_(outputs) {
  if (kind == LabelKind::continuous) {
    throw UsageError("continuous labels have no positives: AUC maximisation needs classes or tasks");
  }
}

std::vector<float> ScoreColumns::scores(const LabelledLogits& batch, std::size_t column) const {
  std::vector<float> result(batch.rows);
  for (std::size_t i = 0; i < batch.rows; ++i) {
    result[i] = batch.logits[i * outputs_ + output_of(column)];
  }
  return result;
}

std::vector<float> ScoreColumns::labels(const LabelledLogits& batch, std::size_t column) const {
  std::vector<float> result(batch.rows);
  for (std::size_t i = 0; i < batch.rows; ++i) {
    result[i] = kind_ == LabelKind::tasks
                    ? batch.labels[i * outputs_ + column]
                    : static_cast<float>(batch.labels[i] == static_cast<float>(output_of(column)));
  }
  return result;
}

/// AUROC of each column, averaged over those that have both labels; 0.5 when none has.
double mean_auroc(const ScoreColumns& columns, const LabelledLogits& batch) {
  double sum = 0, counted = 0;
  for (std::size_t column = 0; column < columns.count(); ++column) {
    const double area = auroc(columns.scores(batch, column), columns.labels(batch, column));
    if (area >= 0) {
      sum += area;
      ++counted;
    }
  }
  return counted > 0 ? sum / counted : 0.5;
}

double accuracy(const LabelledLogits& batch) {
  double right = 0;
  for (std::size_t i = 0; i < batch.rows; ++i) {
    const float* const z = batch.logits + i * batch.outputs;
    const auto chosen = std::max_element(z, z + batch.outputs) - z;
    right += static_cast<float>(chosen) == batch.labels[i] ? 1 : 0;
  }
  return right / static_cast<double>(batch.rows);
}

class SupervisedObjective : public Objective {
 public:
  SupervisedObjective(const Labels& training, std::size_t parameter_count, const AdamOptions& options)
      : kind_(training.kind),
        adam_(parameter_count,
              {.learning_rate = options.learning_rate, .weight_decay = options.weight_decay}) {
    if (kind_ == LabelKind::tasks) {
      positive_weight_ = positive_weights(training);
    }
  }

  double loss(const LabelledLogits& batch, float* gradient) override {
    switch (kind_) {
      case LabelKind::classes:
        return cross_entropy(batch, gradient);
      case LabelKind::tasks:
        return masked_binary_cross_entropy(batch, positive_weight_, gradient);
      default:
        return squared_error(batch, gradient);
    }
  }

  void step(ClassifierParameters& parameters, const ClassifierParameters& gradient) override {
    adam_.step(numbers_of(parameters.all), numbers_of(gradient.all));
  }

  double selection(const LabelledLogits& validation) const override {
    switch (kind_) {
      case LabelKind::classes:
        return accuracy(validation);
      case LabelKind::tasks:
        return mean_auroc({kind_, validation.outputs}, validation);
      default: {
        std::vector<float> unused(validation.rows);
        return -squared_error(validation, unused.data());
      }
    }
  }

  std::string selection_name() const override {
    switch (kind_) {
      case LabelKind::classes:
        return "accuracy";
      case LabelKind::tasks:
        return "auroc";
      default:
        return "negative_squared_error";
    }
  }

 private:
  LabelKind kind_;
  train::Adam adam_;
  std::vector<float> positive_weight_;
};

class AucObjective : public Objective {
 public:
  AucObjective(ScoreColumns columns, Pesg optimizer, double margin)
      : columns_(columns), optimizer_(std::move(optimizer)), margin_(margin), gradients_(columns.count()) {}

  double loss(const LabelledLogits& batch, float* gradient) override {
    std::fill_n(gradient, batch.rows * batch.outputs, 0.0F);
    std::vector<float> slope(batch.rows);
    const double share = 1.0 / static_cast<double>(columns_.count());
    double total = 0;
    for (std::size_t column = 0; column < columns_.count(); ++column) {
      const auto value = auc_margin_loss(columns_.scores(batch, column), columns_.labels(batch, column),
                                         optimizer_.variables()[column], margin_, slope);
      total += share * value.loss;
      gradients_[column] = {share * value.gradient.a, share * value.gradient.b, share * value.gradient.alpha};
      for (std::size_t i = 0; i < batch.rows; ++i) {
        gradient[i * batch.outputs + columns_.output_of(column)] = static_cast<float>(share) * slope[i];
      }
    }
    return total;
  }

  void step(ClassifierParameters& parameters, const ClassifierParameters& gradient) override {
    optimizer_.step(numbers_of(parameters.all), numbers_of(gradient.all), gradients_);
  }

  double selection(const LabelledLogits& validation) const override {
    return mean_auroc(columns_, validation);
  }
  std::string selection_name() const override { return "auroc"; }

 private:
  ScoreColumns columns_;
  Pesg optimizer_;
  double margin_;
  std::vector<AucMarginVariables> gradients_;
};

}  // namespace

std::unique_ptr<Objective> make_supervised_objective(const Labels& training, std::size_t parameter_count,
                                                     const AdamOptions& options) {
  return std::make_unique<SupervisedObjective>(training, parameter_count, options);
}

std::unique_ptr<Objective> make_auc_objective(const Labels& training, std::size_t parameter_count,
                                              const PesgOptions& options, std::uint64_t seed) {
  const ScoreColumns columns(training.kind, static_cast<std::size_t>(training.outputs));
  return std::make_unique<AucObjective>(
      columns, Pesg::with_drawn_references(parameter_count, columns.count(), options, seed), options.margin);
}

}  // namespace headroom::baselines
