#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "models/encoders/chemprop/model.h"

namespace headroom::encoders::chemprop {

/// Models of the same tasks, whose predictions are averaged. Columns of a row of predictions: for each member
/// the numbers of each task (HeadKind), one member after the other.
struct Ensemble {
  Head head;  ///< of the first member; kinds, tasks and classes are the same for all
  std::vector<std::string> tasks;
  std::size_t members = 0;
  std::size_t first_column = 0;

  std::size_t width() const { return head.tasks * head.targets(); }
};

/// The models of a file or folder.
struct ModelSet {
  std::vector<std::filesystem::path> files;  ///< in the order of the models
  std::vector<Model> models;
  std::vector<Ensemble> ensembles;  ///< in the order of `models`

  /// Numbers of a row of predictions.
  std::size_t width() const;
};

/// Reads a checkpoint, or all .pt files of a folder and of the folders in it, in the order of their paths.
/// Models with equal tasks and heads become an ensemble. Throws InputError if there is none, if a folder has
/// more than 1,000, or if two ensembles predict tasks of the same name, and the errors of read_model().
ModelSet read_models(const std::filesystem::path& path);

}  // namespace headroom::encoders::chemprop
