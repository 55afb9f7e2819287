#pragma once

#include <cstddef>
#include <future>
#include <memory>
#include <vector>

#include "base/io/tensors/keyed_rows.h"
#include "pockets/graphs/graph_set.h"

namespace molgauge::pocket {

/// A pocket and its target row.
struct TrainingPocket {
  std::size_t graph;   ///< index in the graph set
  std::size_t target;  ///< index in the rows of ligands
};

/// The pockets and ligand rows of a training. The objects that its pointers refer to must outlive it.
struct TrainingData {
  const GraphSet* graphs = nullptr;
  FeatureNormalization normalization;
  const io::KeyedRows* targets = nullptr;
  std::vector<TrainingPocket> train, validation;

  ops::Floats targets_of(const std::vector<TrainingPocket>& pockets) const;
  /// Checksum of graphs, targets and parts, which determine the result.
  std::string identity() const;
};

/// The pockets of one batch, in the form for an encoder.
using LoadedPockets = std::vector<std::shared_ptr<const Batch>>;

/// Reads pockets, and prefetches the next batch.
class PocketLoader {
 public:
  /// `threads`: number of prefetching threads. 0 disables prefetching. `data` must outlive the object.
  PocketLoader(const TrainingData& data, std::size_t threads) : data_(data), threads_(threads) {}
  ~PocketLoader();
  PocketLoader(const PocketLoader&) = delete;
  PocketLoader& operator=(const PocketLoader&) = delete;

  /// Throws the errors of GraphSet::load().
  LoadedPockets load(const std::vector<TrainingPocket>& pockets);
  void load_ahead(std::vector<TrainingPocket> pockets);

 private:
  LoadedPockets read(const std::vector<TrainingPocket>& pockets, std::size_t threads) const;

  const TrainingData& data_;
  std::size_t threads_;
  std::vector<std::size_t> ahead_graphs_;
  std::future<LoadedPockets> ahead_;
};

}  // namespace molgauge::pocket
