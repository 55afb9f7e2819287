#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "pockets/training/options.h"

namespace molgauge::pocket {

/// The figures of an epoch.
struct EpochRecord {
  double train_loss = 0;
  double validation_loss = 0;         ///< part_loss() of the validation part, plus its physics loss
  double validation_cosine = 0;       ///< mean over the pockets of the validation part
  double validation_accuracy = 0;     ///< for infonce: the accuracy of part_loss()
  double python_validation_loss = 0;  ///< validation loss of the Python project, mean_batch_loss()
  double learning_rate = 0;
  double gradient_norm = 0;   ///< mean over the steps, before clipping; 0 if it is not measured
  double physics_loss = 0;    ///< the physics part of the training loss, which does not depend on parameters
  double train_accuracy = 0;  ///< for infonce: share of pockets that find their ligand in the batch
  std::vector<double> path_weights;  ///< for V2: weights of the angle, dihedral and nonbonded paths, if they
                                     ///< exist
};

/// Returns the content of training_history.json. As in the Python project, it contains train_loss, val_loss,
/// val_cosine_similarity and learnable_weights, each as a list over epochs. Molgauge adds learning_rate,
/// gradient_norm, val_accuracy and python_val_loss, which is the validation loss as the Python project
/// computes it.
nlohmann::ordered_json history_as_json(const std::vector<EpochRecord>& history);
std::vector<EpochRecord> history_in(const nlohmann::json& content);

}  // namespace molgauge::pocket
