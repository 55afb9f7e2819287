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
  std::string name;       ///< "1aju_arg_model0"
  std::string made_from;  ///< checksum of the data for the graph
  /// Builds the graph, not normalised. Throws InputError with the reason, and ChangedInput if the data are
  /// not the data of `made_from` any more.
  std::function<Pockets()> make;
};

/// The pockets of an input. An item is a file or a row of a table, and contains any number of pockets.
class PocketSource {
 public:
  virtual ~PocketSource() = default;

  virtual GraphSetOrigin origin() const = 0;
  virtual std::size_t items() const = 0;
  /// Returns the name of an item, for the list of failures if the item cannot be read.
  virtual std::string name_of(std::size_t item) const = 0;
  /// Throws InputError if the item cannot be read, and ChangedInput if it changes meanwhile. Thread-safe.
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

}  // namespace molgauge::pocket
