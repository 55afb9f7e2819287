#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "molgauge/pocket_build.h"
#include "pockets/graphs/graph_set.h"

/// Sources of pockets for `molgauge pocket build`, which builds a graph set from them.
namespace molgauge::pocket {

/// A pocket that can be turned into a graph.
struct PlannedPocket {
  std::string name;               ///< "1aju_arg_model0"
  std::string made_from;          ///< checksum of the data for the graph
  std::function<Pockets()> make;  ///< builds the graph, not normalised; throws InputError with the reason
};

/// The pockets of an input. An item is a file or a row of a table, and contains any number of pockets.
class PocketSource {
 public:
  virtual ~PocketSource() = default;

  virtual GraphSetOrigin origin() const = 0;
  virtual std::size_t items() const = 0;
  /// Returns the name of an item, for the list of failures if the item cannot be read.
  virtual std::string name_of(std::size_t item) const = 0;
  /// Throws InputError if the item cannot be read. Thread-safe.
  virtual std::vector<PlannedPocket> plan(std::size_t item) const = 0;
};

/// Reads AMBER topologies with coordinates in the same folder.
std::unique_ptr<PocketSource> open_amber_pockets(const std::vector<std::string>& topologies,
                                                 const PocketBuildRequest& request);

/// Reads structures. The request names the ligand or a table of complexes. Throws UsageError if the request
/// names neither a ligand nor a table, or if it does not name a force field.
std::unique_ptr<PocketSource> open_structure_pockets(const std::vector<std::string>& files,
                                                     const PocketBuildRequest& request);

/// Reads .pt files of the Python project.
std::unique_ptr<PocketSource> open_python_graphs(const std::vector<std::string>& files,
                                                 const PocketBuildRequest& request);

/// Returns one checksum of the content of several files and of the text `settings`: XXH3, 128 bits. Throws
/// InputError if a file cannot be read.
std::string checksum_of_files(const std::vector<std::string>& files, const std::string& settings = "");

}  // namespace molgauge::pocket
