#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "molgauge/choices.h"

namespace molgauge {

struct PocketBuildReport;

/// Limits for the size of a graph. Larger graphs are left out of the set. A limit that is not set has no
/// effect.
struct PocketSizeLimits {
  /// Keeps graphs whose numbers of atoms and of bonds do not exceed this percentile over the set.
  std::optional<double> percentile = {};
  std::optional<std::size_t> max_atoms = {};
  std::optional<std::size_t> max_bonds = {};        ///< maximum number of directed bonds
  std::optional<std::size_t> max_pairs = {};        ///< maximum number of directed non-bonded pairs
  std::optional<std::size_t> max_graph_bytes = {};  ///< maximum bytes of a graph in memory
};

/// `molgauge pocket build`: makes a graph set from RNA binding pockets (docs/reference/formats.md).
struct PocketBuildRequest {
  using Report = PocketBuildReport;

  /// A file, or a folder of files of one kind: AMBER topologies (.prmtop, .parm7) with coordinates next to
  /// them (.inpcrd, .rst7 or .pdb), structures (.cif, .pdb, may be gzipped), or graphs of the Python project
  /// (.pt).
  std::string input;
  std::string out;                       ///< folder of the graph set. An interrupted build is resumed
  std::optional<PocketInput> from = {};  ///< if not set, the file names determine the kind

  double distance_cutoff = 4.0;  ///< maximum distance of a non-bonded pair, Angstrom

  // The following options are for structures.
  /// A residue belongs to the pocket if one of its atoms is within this distance of the ligand, in Angstrom.
  double pocket_cutoff = 5.0;
  std::vector<std::string> force_field = {};      ///< force field: OpenMM XML files, or AMBER files
  std::string ligand = {};                        ///< residue name of the ligand in every structure
  std::string hariboss_csv = {};                  ///< table of complexes with the names of their ligands
  std::optional<std::size_t> max_complexes = {};  ///< use only this many complexes, the first ones

  // The following options are for graphs of the Python project.
  /// The path of node_feature_norm_params.npz, which is needed to undo the normalisation of the atom
  /// features. If empty, the file is searched for in the folder of the graphs and in its parent folder.
  std::string normalization = {};

  /// Write phases as the Python project does, as degrees / (2 * 3.14159).
  bool reference_compatible = false;

  PocketSizeLimits limits = {};

  std::size_t threads = 0;  ///< 0 starts one thread for each processor that this process may use
  bool conservative = false;
  bool quiet = false;
};

/// A pocket whose graph could not be built, and the reason.
struct FailedPocket {
  std::string complex_id, reason;
};

struct PocketBuildReport {
  std::size_t pockets = 0;     ///< pockets in the input
  std::size_t built = 0;       ///< pockets built by this run
  std::size_t taken_over = 0;  ///< pockets that an earlier run had built
  std::size_t too_large = 0;   ///< pockets left out because of the limits
  std::size_t failed_pockets = 0;
  std::vector<FailedPocket> failed;  ///< at most the first 1,000 failed pockets
  std::size_t atoms = 0, bonds = 0, angles = 0, dihedrals = 0, pairs = 0;  ///< sums over the set
  std::string manifest;
  double seconds = 0;
};

}  // namespace molgauge
