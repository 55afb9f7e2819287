#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pockets/graph.h"
#include "pockets/graphs/normalization.h"

/// A graph set: a folder with manifest.json and one safetensors file for each pocket
/// (docs/reference/formats.md). The files contain measured features. The manifest contains their
/// normalisation, which is applied when a graph is loaded.
namespace molgauge::pocket {

/// How the graphs of a set were made. All graphs of a set must be made in the same way.
struct GraphSetOrigin {
  std::string source;            ///< "amber", "structures" or "python"
  std::string force_field = {};  ///< names and checksums of the files, or "of the topologies" or "of the
                                 ///< graphs"
  double cutoff = 4.0;           ///< maximum distance of a non-bonded pair, Angstrom
  /// Maximum distance of a residue to the ligand in Angstrom. 0 means that the pockets were not cut out of
  /// larger structures.
  double pocket_cutoff = 0;
  /// Whether phases are in degrees / (2 * 3.14159), as the Python project writes them, instead of radians /
  /// (2 pi).
  bool reference_phases = false;

  bool operator==(const GraphSetOrigin&) const = default;
};

/// The numbers of atoms and terms of a graph. They determine the cost of encoding and training.
struct GraphCounts {
  /// Each bond and each non-bonded pair counts twice, once for each direction.
  std::int64_t atoms = 0, bonds = 0, angles = 0, dihedrals = 0, pairs = 0;

  bool operator==(const GraphCounts&) const = default;
};
GraphCounts counts_of(const Pockets& pocket);

struct GraphEntry {
  std::string name;  ///< for example "1aju_arg_model0"
  /// For example "1aju_arg". All models of a complex have the same ligand, and this is its key.
  std::string complex;
  std::string made_from;  ///< checksum of the data that the graph was made from
  GraphCounts counts;
  std::uint64_t bytes = 0;
  std::string checksum;  ///< XXH3, 128 bits, of graphs/NAME.safetensors
};

/// Removes the ending "_model" and a number from a name. Returns other names unchanged.
std::string complex_of(const std::string& name);

/// The file of a graph within its set.
std::filesystem::path graph_file(const std::filesystem::path& folder, const std::string& name);

class GraphSet {
 public:
  /// Reads the manifest. Throws InputError with the file and the reason, also if a graph file is missing or
  /// its size differs from the manifest.
  static GraphSet open(const std::filesystem::path& folder);

  const std::filesystem::path& folder() const { return folder_; }
  const GraphSetOrigin& origin() const { return origin_; }
  const FeatureNormalization& normalization() const { return normalization_; }
  /// The graphs, in ascending order of their names.
  const std::vector<GraphEntry>& graphs() const { return graphs_; }
  /// Returns the index of a name in graphs(), or nothing if there is no such graph.
  std::optional<std::size_t> find(const std::string& name) const;

  /// Loads one pocket. Its features are normalised with the statistics of this set, or with `normalization`,
  /// for example of the training set of an encoder. Throws InputError with the file if it is missing, changed
  /// or damaged. Thread-safe.
  Pockets load(std::size_t graph) const { return load(graph, normalization_); }
  Pockets load(std::size_t graph, const FeatureNormalization& normalization) const;
  /// Loads one pocket without normalisation.
  Pockets load_measured(std::size_t graph) const;

 private:
  std::filesystem::path folder_;
  GraphSetOrigin origin_;
  FeatureNormalization normalization_;
  std::vector<GraphEntry> graphs_;
  std::map<std::string, std::size_t> by_name_;
};

}  // namespace molgauge::pocket
