#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/train/optimizer.h"
#include "base/train/parameters.h"
#include "molecules/baselines/classifier/auc_margin.h"
#include "molecules/baselines/classifier/classifier.h"
#include "molecules/baselines/classifier/classifier_loss.h"
#include "molecules/baselines/classifier/classifier_trainer.h"
#include "molecules/baselines/classifier/labels.h"

namespace molgauge::baselines {

/// The parameters of a classifier and their gradient. Both must outlive the objects that use them.
struct TrainedParameters {
  ClassifierParameters& numbers;
  ClassifierParameters& gradient;

  /// The parameters with their names ("layers.0.weight"), in one parameter group. They are views of the
  /// parameter array, and their gradients are views of the gradient array.
  train::Parameters named(const train::GroupOptions& options) const;
};

/// The objective of a training: the loss and its gradient, the optimizer, and the criterion that chooses the
/// best epoch.
class Objective {
 public:
  virtual ~Objective() = default;

  /// Returns the loss of a batch, and writes the gradient [rows, outputs] with respect to the logits.
  virtual double loss(const LabelledLogits& batch, float* gradient) = 0;
  /// The optimizer. Its steps use the gradient of the last loss().
  virtual train::Optimizer& optimizer() = 0;
  /// Returns the selection criterion, computed from all validation rows. A larger number is better.
  virtual double selection(const LabelledLogits& validation) const = 0;
  /// The name of the selection criterion: accuracy, auroc or negative_squared_error.
  virtual std::string selection_name() const = 0;
};

/// Cross-entropy for classes, masked binary cross-entropy with positive weights for tasks, squared error for
/// continuous labels. The optimizer is Adam. Selection criterion: accuracy, the mean AUROC over tasks that
/// have both labels, or minus the squared error.
std::unique_ptr<Objective> make_supervised_objective(const Labels& training,
                                                     const TrainedParameters& parameters,
                                                     const AdamOptions& options);

/// Deep AUC maximisation (auc_margin.h). With two classes, column 1 of the logits is the score of the
/// positive class. With more classes, each column is the score of its class against all other classes, and
/// the loss is the mean over the columns. With tasks, the loss is also the mean over the columns. Selection
/// criterion: the mean AUROC of the columns. Throws UsageError for continuous labels, because they have no
/// positive class.
std::unique_ptr<Objective> make_auc_objective(const Labels& training, const TrainedParameters& parameters,
                                              const PesgOptions& options, std::uint64_t seed);

}  // namespace molgauge::baselines
