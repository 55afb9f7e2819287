#pragma once

#include <optional>

#include "headroom/choices.h"
#include "headroom/types.h"

namespace headroom {

struct ConformersReport;

/// Generation of conformers for molecules without 3D coordinates.
struct ConformerOptions {
  ConformerFallback fallback = ConformerFallback::drawing;
  double deadline_seconds = 60;  ///< a molecule that takes longer fails
  std::size_t max_atoms = 1000;  ///< a molecule with more atoms fails at once. Hydrogens count
};

/// Options of 3D encoders. Other encoders reject them.
struct PlacementOptions {
  /// The store separates rows with `fail` from rows with other values.
  ConformerFallback conformer_fallback = ConformerFallback::by_default;
  std::optional<double> conformer_deadline = {};  ///< deadline as in ConformerOptions::deadline_seconds
  /// Largest number of atoms that the encoder uses. From a larger molecule, it draws this number of atoms,
  /// and every run draws the same atoms. None: the number from the training of the encoder. Hydrogens count
  /// if the encoder uses them.
  std::optional<std::size_t> max_atoms = {};
};

/// `headroom conformers`: generates 3D conformers and caches them in the store.
struct ConformersRequest {
  using Report = ConformersReport;

  std::string molecules;  ///< input as in EncodeRequest::molecules
  std::string smiles_column = "smiles";
  std::string out;            ///< .sdf
  std::string store;          ///< folder of the store; empty: $HEADROOM_HOME/store
  bool strict = false;        ///< stop at the first record that fails
  std::size_t threads = 0;    ///< 0: one for each processor that this process may use
  bool conservative = false;  ///< as in ComputeOptions::conservative
  bool quiet = false;
  ConformerOptions options;
};

struct ConformersReport {
  std::size_t rows = 0;        ///< records of the input
  std::size_t made = 0;        ///< molecules embedded by this run
  std::size_t from_store = 0;  ///< molecules that were in the store
  std::size_t own = 0;         ///< molecules whose own three-dimensional coordinates were used unchanged
  std::size_t failed_records = 0;
  std::vector<FailedMolecule> failed;  ///< the first 1,000 failed molecules, at most

  // Records with coordinates of lower quality, including records from the store.
  std::size_t flat = 0;           ///< molecules that could not be embedded and have the coordinates of the
                                  ///< drawing
  std::size_t not_converged = 0;  ///< molecules for which the force field had not converged after 200 steps
  std::size_t unrefined = 0;      ///< molecules for which the force field has no parameters, or failed

  std::size_t processes_replaced = 0;  ///< worker processes that crashed or were ended at the deadline
  double seconds = 0;
};

}  // namespace headroom
