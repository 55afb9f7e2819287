#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/core/files/folder_lock.h"
#include "pockets/graphs/graph_set.h"

namespace molgauge::pocket {

/// Writes a graph set. Graphs can be added in any order and from several threads. When add() returns, the
/// graph is completely on disk. commit() writes the manifest. If an earlier writer stopped before commit(),
/// even if it was killed, a new writer can reuse its graphs with take_over().
class GraphSetWriter {
 public:
  /// Creates and locks the folder. Throws Error if this fails, and InputError if the folder contains a graph
  /// set of another origin.
  GraphSetWriter(const std::filesystem::path& folder, const GraphSetOrigin& origin);

  /// Reuses the graph with this name if the folder has an intact graph that was made in the same way from the
  /// same data. `made_from`: checksum of the data. Returns its entry, or nothing if the graph must be made.
  std::optional<GraphEntry> take_over(const std::string& name, const std::string& made_from);

  /// Writes a graph with measured features. Throws InputError if the name is not a valid file name or was
  /// used before, and Error if writing fails.
  GraphEntry add(const std::string& name, const std::string& made_from, const Pockets& pocket);

  /// Leaves a graph out of the set. commit() removes its file.
  void drop(const std::string& name);

  /// Writes the manifest with the reused and added graphs and their normalisation, and removes the files of
  /// other graphs. Nothing changes on disk if the set is unchanged.
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

}  // namespace molgauge::pocket
