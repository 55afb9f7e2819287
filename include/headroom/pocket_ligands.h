#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "headroom/conformers.h"
#include "headroom/types.h"

namespace headroom {

struct PocketLigandsReport;

/// `headroom pocket ligands`: encodes ligands into the rows that are the training targets of pockets.
struct PocketLigandsRequest {
  using Report = PocketLigandsReport;

  std::string compounds;  ///< CSV or TSV with the code and the SMILES of each ligand
  std::string out;        ///< .h5 or .npz, one row for each key
  std::string id_column = "id";
  std::string smiles_column = "canonical_smiles";
  /// Table of complexes. The keys are PDB_LIGAND, for example 1aju_ARG. Empty: the keys are the codes of the
  /// ligands.
  std::string hariboss_csv = {};
  /// Normalise each number as the Python project does: subtract its mean over all keys and divide by its
  /// deviation. The means and deviations are written next to `out`.
  bool normalize = false;
  std::string encoder = "unimol";
  std::string store;    ///< folder of the feature store; empty: $HEADROOM_HOME/store
  std::string weights;  ///< folder of installed weights; empty: $HEADROOM_HOME/weights
  PlacementOptions placement;
  ComputeOptions compute;
};

struct PocketLigandsReport {
  std::size_t compounds = 0;  ///< rows of the table
  std::size_t keys = 0;       ///< rows written
  std::size_t width = 0;
  std::size_t failed_records = 0;
  std::vector<FailedMolecule> failed;  ///< the first 1,000 failed molecules, at most
  std::vector<std::string> missing;    ///< complexes whose ligand has no row, the first 1,000 at most
  std::size_t missing_complexes = 0;
  std::vector<PhaseReport> phases;
};

}  // namespace headroom
