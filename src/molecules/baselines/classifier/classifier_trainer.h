#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "molecules/baselines/classifier/auc_margin.h"
#include "molecules/baselines/classifier/classifier.h"
#include "molecules/baselines/classifier/labels.h"

namespace molgauge::baselines {

enum class ObjectiveKind {
  supervised,  ///< the loss that fits the kind of labels
  auc_margin,  ///< deep AUC maximisation
};

struct AdamOptions {
  double learning_rate = 0.01;
  double weight_decay = 5e-4;  ///< added to the gradient (L2), not decoupled
};

/// Defaults match the published program.
struct ClassifierOptions {
  std::int64_t hidden = 64, layers = 3;
  double dropout = 0.5;
  std::size_t epochs = 200, batch_size = 32, patience = 20;
  ObjectiveKind objective = ObjectiveKind::supervised;
  AdamOptions adam;         ///< options for the supervised objective
  PesgOptions pesg;         ///< options for the AUC-margin objective
  std::uint64_t seed = 42;  ///< seed of parameters, order of rows and dropout
};

/// Throws UsageError with the name of an option if it is out of range.
void validate(const ClassifierOptions& options);

/// The number of rows in the largest batch. If a single row is left at the end, it joins the previous batch,
/// which then has one row more than the batch size.
std::size_t most_batch_rows(const ClassifierOptions& options, std::size_t molecules);

/// Features [n, width], float32, on the CPU, with a label for each row.
struct LabelledFeatures {
  at::Tensor features;
  Labels labels;
};

struct ClassifierData {
  LabelledFeatures train, validation;
};

/// Number of validation molecules that are evaluated together. It does not affect the results.
inline constexpr std::int64_t kValidationRows = 1024;

struct ClassifierTraining {
  Classifier best;
  std::size_t epochs_run = 0, best_epoch = 0;  ///< best_epoch: counted from 0
  std::string selection = {};                  ///< accuracy, auroc or negative_squared_error
  double best_selection = 0;
  bool stopped_early = false;
  /// The best classifier gives every validation molecule the same answer, in at least one task. This answer
  /// is then the majority label, and scores derived from it carry little information.
  bool collapsed = false;
  std::vector<double> epoch_losses = {};  ///< mean over the batches
  double seconds = 0;
  std::size_t oom_recoveries = 0;  ///< number of out-of-memory errors after which the training continued
};

/// Trains on shuffled batches. After each epoch the validation rows are evaluated. The epoch with the best
/// value of the selection metric is kept. If several epochs have the best value, the first of them is kept.
/// Training stops after `patience` consecutive epochs without an improvement. A last batch of a single row,
/// which batch normalisation cannot use, joins the previous batch. Uses one thread, so the result does not
/// depend on the number of threads.
///
/// All memory for tensors is allocated before the first step. If this allocation runs out of memory, it is
/// repeated once.
///
/// Throws InputError for inconsistent data and for data that cannot be learned, UsageError for an option out
/// of range, Error if the training diverges, and Interrupted if the user asks to stop.
ClassifierTraining train_classifier(const ClassifierData& data, const ClassifierOptions& options,
                                    const std::function<void(std::size_t epoch)>& after_epoch = {});

}  // namespace molgauge::baselines
