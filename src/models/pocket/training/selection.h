#pragma once

#include <string>
#include <utility>
#include <vector>

#include "headroom/pocket_train.h"
#include "models/pocket/training/data.h"
#include "models/pocket/training/splits.h"

namespace headroom::pocket {

/// A pocket that is not used, and why.
struct LeftOut {
  std::string name, reason;
};

/// What is trained on.
struct SelectedPockets {
  PocketSplit split;  ///< the pockets that are used
  std::vector<TrainingPocket> train, validation;
  std::vector<LeftOut> left_out;
};

/// The row of a pocket's ligand: under the pocket's name, its complex, or the ligand's code.
std::optional<std::size_t> find_ligand(const io::KeyedRows& rows, const GraphEntry& pocket);

/// Splits the pockets of a set that have a ligand's row. Throws InputError where a part that is needed is
/// empty, and where models of a complex stand in several parts of the request's file.
SelectedPockets select_pockets(const PocketTrainRequest& request, const GraphSet& graphs,
                               const io::KeyedRows& rows);

}  // namespace headroom::pocket
