#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "molecules/datasets/ood_benchmark.h"

namespace molgauge::datasets {

/// The Python project's cache of drawn molecules, a JSON object {"metadata", "target_sizes", "splits",
/// "timestamp"}. "splits" has the lists of SMILES train_id, train_ood, val_id, val_ood, test_id and test_ood.
struct SplitCache {
  /// The molecules in the order of the lists. Texts are trimmed. All labels are 0, because the cache has no
  /// labels. The list that contains a molecule tells whether it is OOD.
  OodBenchmark benchmark;
  /// Differences between the description in the file and the training that uses the file, one sentence each.
  /// If the user named the file, the Python project only warns about differences.
  std::vector<std::string> mismatches;
};

/// The training that a split cache is used for.
struct SplitCacheUse {
  std::string benchmark_file;
  std::uint64_t data_seed = 42;
};

/// Reads a split cache, which may be compressed with gzip. Throws InputError naming file and line if it is
/// another kind of file, or if a list is missing, is empty or has items that are not texts.
SplitCache read_split_cache(const std::string& path, const SplitCacheUse& use);

}  // namespace molgauge::datasets
