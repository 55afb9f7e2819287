#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "headroom/conformers.h"
#include "headroom/types.h"

namespace headroom {

struct PocketLigandsReport;

/// `headroom pocket ligands`: the rows that pockets are trained towards, made of molecules by an encoder.
struct PocketLigandsRequest {
  using Report = PocketLigandsReport;

  std::string compounds;  ///< CSV or TSV with the code and the SMILES of each ligand
  std::string out;        ///< .h5 or .npz: a row by key
  std::string id_column = "id";
  std::string smiles_column = "canonical_smiles";
  /// Table of complexes: keys are PDB_LIGAND, as 1aju_ARG; empty: the codes of the ligands.
  std::string hariboss_csv = {};
  /// Each number minus its mean over all keys, divided by its deviation, as the Python project does; the two
  /// are written beside `out`.
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
  std::vector<FailedMolecule> failed;  ///< the first, a thousand at most
  std::vector<std::string> missing;    ///< complexes whose ligand has no row, the first thousand
  std::size_t missing_complexes = 0;
  std::vector<PhaseReport> phases;
};

}  // namespace headroom
