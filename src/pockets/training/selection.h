#pragma once

#include <string>
#include <utility>
#include <vector>

#include "molgauge/pocket_train.h"
#include "pockets/training/data.h"
#include "pockets/training/splits.h"

namespace molgauge::pocket {

/// A pocket that is not used, and why.
struct LeftOut {
  std::string name, reason;
};

/// The training data.
struct SelectedPockets {
  PocketSplit split;  ///< the pockets that are used
  std::vector<TrainingPocket> train, validation;
  std::vector<LeftOut> left_out;
};

/// The row of the ligand of a pocket, found by pocket name, complex or ligand code.
std::optional<std::size_t> find_ligand(const io::KeyedRows& rows, const GraphEntry& pocket);

/// Splits the pockets that have a ligand row. Throws InputError if a required part is empty, or if the split
/// file of the request puts models of one complex in several parts.
SelectedPockets select_pockets(const PocketTrainRequest& request, const GraphSet& graphs,
                               const io::KeyedRows& rows);

}  // namespace molgauge::pocket
