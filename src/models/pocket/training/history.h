#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "models/pocket/training/options.h"

namespace headroom::pocket {

/// The figures of an epoch.
struct EpochRecord {
  double train_loss = 0;
  double validation_loss = 0;         ///< part_loss() of the validation part, and its physics loss
  double validation_cosine = 0;       ///< mean over the pockets of the validation part
  double validation_accuracy = 0;     ///< infonce: share of ligands found, see part_loss()
  double python_validation_loss = 0;  ///< the same by the Python project's rule, mean_batch_loss()
  double learning_rate = 0;
  double gradient_norm = 0;   ///< mean over the steps, before clipping; 0 where it is not measured
  double physics_loss = 0;    ///< part of both losses that no parameter changes
  double train_accuracy = 0;  ///< infonce: share of pockets that find their own ligand within the batch
  std::vector<double> path_weights;  ///< V2: angle, dihedral, nonbonded, as far as there are
};

/// By how much the learning rate is multiplied in the epoch after these.
double rate_factor(RateSchedule schedule, const std::vector<EpochRecord>& history, std::size_t epochs);

/// As in training_history.json of the Python project: train_loss, val_loss, val_cosine_similarity and
/// learnable_weights, each a list over epochs. Further lists are learning_rate, gradient_norm,
/// val_accuracy and python_val_loss, which is val_loss by the rule of the Python project. Histories of
/// earlier versions, in which val_loss follows that rule, have no python_val_loss.
nlohmann::ordered_json history_as_json(const std::vector<EpochRecord>& history);
std::vector<EpochRecord> history_in(const nlohmann::json& content);

}  // namespace headroom::pocket
