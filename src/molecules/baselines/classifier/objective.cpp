#include "molecules/baselines/classifier/objective.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/core/error.h"
#include "base/train/adam.h"
#include "molecules/ood/metrics/metrics.h"

namespace molgauge::baselines {
namespace {

std::span<float> writable_numbers(const at::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

/// The yes/no questions that the logits of a classifier answer. Each has a column of scores and labels 0, 1
/// or NaN. With two classes there is one question: is it class 1? With more classes, each class is compared
/// with the rest. With tasks, each task is a question.
class ScoreColumns {
 public:
  ScoreColumns(LabelKind kind, std::size_t outputs);

  std::size_t count() const { return kind_ == LabelKind::classes && outputs_ == 2 ? 1 : outputs_; }
  std::vector<float> scores(const LabelledLogits& batch, std::size_t column) const;
  std::vector<float> labels(const LabelledLogits& batch, std::size_t column) const;
  /// The output with the scores of a column.
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

/// Mean AUROC of the columns that have both labels, or 0.5 if there are none.
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
  SupervisedObjective(const Labels& training, const TrainedParameters& parameters, const AdamOptions& options)
      : kind_(training.kind),
        adam_(
            parameters.named({.learning_rate = options.learning_rate, .weight_decay = options.weight_decay}),
            {}) {
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

  train::Optimizer& optimizer() override { return adam_; }

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

/// PESG over the parameters and the scalars of the loss.
class PesgOptimizer final : public train::Optimizer {
 public:
  PesgOptimizer(const TrainedParameters& parameters, Pesg pesg)
      : parameters_(parameters), pesg_(std::move(pesg)), scalar_gradients_(pesg_.variables().size()) {}

  void step(const train::Clock& /*clock*/) override {
    pesg_.step(writable_numbers(parameters_.numbers.all), writable_numbers(parameters_.gradient.all),
               scalar_gradients_);
  }
  /// Bytes of the momentum and the references.
  std::uint64_t state_bytes() const override { return 2 * parameters_.numbers.all.nbytes(); }

  const AucMarginVariables& variables(std::size_t column) const { return pesg_.variables()[column]; }
  AucMarginVariables& scalar_gradients(std::size_t column) { return scalar_gradients_[column]; }

 private:
  TrainedParameters parameters_;
  Pesg pesg_;
  std::vector<AucMarginVariables> scalar_gradients_;
};

class AucObjective : public Objective {
 public:
  AucObjective(ScoreColumns columns, PesgOptimizer optimizer, double margin)
      : columns_(columns), optimizer_(std::move(optimizer)), margin_(margin) {}

  double loss(const LabelledLogits& batch, float* gradient) override {
    std::fill_n(gradient, batch.rows * batch.outputs, 0.0F);
    std::vector<float> slope(batch.rows);
    const double share = 1.0 / static_cast<double>(columns_.count());
    double total = 0;
    for (std::size_t column = 0; column < columns_.count(); ++column) {
      const auto value = auc_margin_loss(columns_.scores(batch, column), columns_.labels(batch, column),
                                         optimizer_.variables(column), margin_, slope);
      total += share * value.loss;
      optimizer_.scalar_gradients(column) = {share * value.gradient.a, share * value.gradient.b,
                                             share * value.gradient.alpha};
      for (std::size_t i = 0; i < batch.rows; ++i) {
        gradient[i * batch.outputs + columns_.output_of(column)] = static_cast<float>(share) * slope[i];
      }
    }
    return total;
  }

  train::Optimizer& optimizer() override { return optimizer_; }

  double selection(const LabelledLogits& validation) const override {
    return mean_auroc(columns_, validation);
  }
  std::string selection_name() const override { return "auroc"; }

 private:
  ScoreColumns columns_;
  PesgOptimizer optimizer_;
  double margin_;
};

}  // namespace

train::Parameters TrainedParameters::named(const train::GroupOptions& options) const {
  train::ParameterGroup group{.name = "classifier", .parameters = {}, .options = options};
  for (std::size_t i = 0; i < numbers.layers.size(); ++i) {
    const auto& of = numbers.layers[i];
    const auto& gradients = gradient.layers[i];
    const auto add = [&](const char* name, const at::Tensor& value, const at::Tensor& slope) {
      if (value.defined()) {
        value.mutable_grad() = slope;
        group.parameters.push_back({"layers." + std::to_string(i) + "." + name, value});
      }
    };
    add("weight", of.weight, gradients.weight);
    add("bias", of.bias, gradients.bias);
    add("norm.weight", of.norm_weight, gradients.norm_weight);
    add("norm.bias", of.norm_bias, gradients.norm_bias);
  }
  return train::Parameters({std::move(group)});
}

std::unique_ptr<Objective> make_supervised_objective(const Labels& training,
                                                     const TrainedParameters& parameters,
                                                     const AdamOptions& options) {
  return std::make_unique<SupervisedObjective>(training, parameters, options);
}

std::unique_ptr<Objective> make_auc_objective(const Labels& training, const TrainedParameters& parameters,
                                              const PesgOptions& options, std::uint64_t seed) {
  const ScoreColumns columns(training.kind, static_cast<std::size_t>(training.outputs));
  const auto count = static_cast<std::size_t>(parameters.numbers.all.numel());
  return std::make_unique<AucObjective>(
      columns, PesgOptimizer(parameters, Pesg::with_drawn_references(count, columns.count(), options, seed)),
      options.margin);
}

}  // namespace molgauge::baselines
