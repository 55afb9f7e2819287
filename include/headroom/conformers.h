#pragma once

#include "headroom/types.h"

namespace headroom {

/// How atoms are placed in space where a molecule does not bring them along.
struct ConformerOptions {
  /// What becomes of a molecule that cannot be embedded in three dimensions: 2d, its drawing as the atoms'
  /// places, or fail.
  std::string fallback = "2d";
  double deadline_seconds = 60;  ///< a molecule that takes longer fails
  std::size_t max_atoms = 1000;  ///< a molecule with more, hydrogens counted, fails at once
};

/// `headroom conformers`: molecules in, atoms in space out, through the store.
struct ConformersRequest {
  std::string molecules;  ///< as EncodeRequest has them
  std::string smiles_column = "smiles";
  std::string out;          ///< .sdf
  std::string store;        ///< folder of the store; empty: $HEADROOM_HOME/store
  bool strict = false;      ///< stop at the first record that fails
  std::size_t threads = 0;  ///< 0: every processor this process may use
  bool quiet = false;
  ConformerOptions options;
};

struct ConformersReport {
  std::size_t rows = 0;        ///< records of the input
  std::size_t made = 0;        ///< placed by this run
  std::size_t from_store = 0;  ///< found finished
  std::size_t own = 0;         ///< came with three-dimensional coordinates, which are used as they are
  std::size_t failed_records = 0;
  std::vector<FailedMolecule> failed;  ///< the first, a thousand at most

  // Records whose places are not what the recipe wants; those from the store are counted too.
  std::size_t flat = 0;           ///< could not be embedded: the places of their drawing
  std::size_t not_converged = 0;  ///< the force field had not come to rest after 200 steps
  std::size_t unrefined = 0;      ///< the force field has no parameters for them, or failed

  std::size_t processes_replaced = 0;  ///< that died or were ended at the deadline
  double seconds = 0;
};

}  // namespace headroom
