#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headroom/choices.h"

namespace headroom {

struct PocketBuildReport;

/// Graphs that cost too much are left out of a set. A number that is not given leaves none out.
struct PocketSizeLimits {
  /// Graphs are kept whose number of atoms or of bonds is at or below this percentile over the set.
  std::optional<double> percentile = {};
  std::optional<std::size_t> max_atoms = {};
  std::optional<std::size_t> max_bonds = {};        ///< directed
  std::optional<std::size_t> max_pairs = {};        ///< directed, not bonded
  std::optional<std::size_t> max_graph_bytes = {};  ///< of a graph in memory
};

/// `headroom pocket build`: RNA binding pockets in, a graph set out (docs/reference/formats.md).
struct PocketBuildRequest {
  using Report = PocketBuildReport;

  /// AMBER topologies with coordinates (.prmtop, .parm7 and beside it .inpcrd, .rst7 or .pdb), structures
  /// (.cif, .pdb, also gzipped), or graphs of the Python project (.pt); a file, or a folder of files of one
  /// kind.
  std::string input;
  std::string out;  ///< folder of the graph set; a set that was interrupted is gone on with
  std::optional<PocketInput> from = {};  ///< none: by the names of the files

  double distance_cutoff = 4.0;  ///< most distance of a non-bonded pair, Angstrom

  // Structures alone.
  double pocket_cutoff = 5.0;  ///< residues with an atom within this distance of the ligand, Angstrom
  std::vector<std::string> force_field = {};      ///< OpenMM's .xml, or AMBER's own files
  std::string ligand = {};                        ///< residue name of the ligand in every structure
  std::string hariboss_csv = {};                  ///< table of complexes, which names the ligands
  std::optional<std::size_t> max_complexes = {};  ///< the first so many alone

  // Graphs of the Python project alone.
  std::string normalization =
      {};  ///< node_feature_norm_params.npz; empty: the file beside the folder, or none

  /// Numbers as the Python project writes them: phases in degrees / (2 * 3.14159).
  bool reference_compatible = false;

  PocketSizeLimits limits = {};

  std::size_t threads = 0;  ///< 0: every processor this process may use
  bool conservative = false;
  bool quiet = false;
};

/// A pocket without a graph.
struct FailedPocket {
  std::string complex_id, reason;
};

struct PocketBuildReport {
  std::size_t pockets = 0;     ///< that the input has
  std::size_t built = 0;       ///< by this run
  std::size_t taken_over = 0;  ///< made by an earlier run
  std::size_t too_large = 0;   ///< left out by the limits
  std::size_t failed_pockets = 0;
  std::vector<FailedPocket> failed;                                        ///< the first, a thousand at most
  std::size_t atoms = 0, bonds = 0, angles = 0, dihedrals = 0, pairs = 0;  ///< of the set
  std::string manifest;
  double seconds = 0;
};

}  // namespace headroom
