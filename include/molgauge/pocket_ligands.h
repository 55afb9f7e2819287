#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "molgauge/conformers.h"
#include "molgauge/types.h"

namespace molgauge {

struct PocketLigandsReport;

/// `molgauge pocket ligands`: encodes ligands. The rows are the training targets of `molgauge pocket train`.
struct PocketLigandsRequest {
  using Report = PocketLigandsReport;

  std::string compounds;  ///< CSV or TSV with the code and the SMILES of each ligand
  std::string out;        ///< .h5 or .npz, one row for each key
  std::string id_column = "id";
  std::string smiles_column = "canonical_smiles";
  /// Table of complexes. With it, a key is the PDB code and the ligand code, for example 1aju_ARG. If empty,
  /// a key is the ligand code.
  std::string hariboss_csv = {};
  /// Normalise each feature as the Python project does: subtract its mean over all keys and divide by its
  /// standard deviation. The means and standard deviations are written next to `out`.
  bool normalize = false;
  std::string encoder = "unimol";
  std::string store;    ///< folder of the feature store. If empty, $MOLGAUGE_HOME/store is used
  std::string weights;  ///< folder of installed weights. If empty, $MOLGAUGE_HOME/weights is used
  PlacementOptions placement;
  ComputeOptions compute;
};

struct PocketLigandsReport {
  std::size_t compounds = 0;  ///< rows of the table `compounds`
  std::size_t keys = 0;       ///< rows that were written, one for each key
  std::size_t width = 0;
  std::size_t failed_records = 0;
  std::vector<FailedMolecule> failed;  ///< at most the first 1,000 failed molecules
  std::vector<std::string> missing;    ///< at most the first 1,000 complexes whose ligand has no row
  std::size_t missing_complexes = 0;
  std::vector<PhaseReport> phases;
};

}  // namespace molgauge
