#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/folder_lock.h"
#include "models/pocket/graphs/graph_set.h"

namespace headroom::pocket {

/// Makes a graph set, graph by graph, in any order and from any number of threads. A graph is completely on
/// disk when add() returns. commit() writes the manifest. A writer in the same folder goes on with the graphs
/// that an earlier one, also a killed one, has left.
class GraphSetWriter {
 public:
  /// Locks the folder, which is created. Throws Error where it cannot be, InputError where it holds a graph
  /// set of another origin.
  GraphSetWriter(const std::filesystem::path& folder, const GraphSetOrigin& origin);

  /// Takes over the graph of that name if the folder has it, whole, made in the same way from the same
  /// (`made_from`: a checksum of it). Returns its entry, or none: then it has to be made.
  std::optional<GraphEntry> take_over(const std::string& name, const std::string& made_from);

  /// Writes a graph with measured features. Throws InputError if the name is not a valid file name or was
  /// used before, and Error if writing fails.
  GraphEntry add(const std::string& name, const std::string& made_from, const Pockets& pocket);

  /// Leaves a graph out of the set. commit() removes its file.
  void drop(const std::string& name);

  /// Writes the manifest over the graphs that were taken over or added, with their normalisation, and removes
  /// the files of other graphs. Nothing changes on disk if the set is unchanged.
  void commit();

  std::size_t size() const;

 private:
  struct Finished {
    GraphEntry entry;
    FeatureMoments moments;
  };
  void keep(Finished finished);

  std::filesystem::path folder_;
  GraphSetOrigin origin_;
  std::unique_ptr<FolderLock> lock_;
  mutable std::mutex mutex_;
  std::map<std::string, Finished> finished_;
};

}  // namespace headroom::pocket
