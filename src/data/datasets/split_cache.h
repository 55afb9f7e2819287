#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/datasets/ood_benchmark.h"

namespace headroom::datasets {

/// The Python project's cache of the molecules it drew: {"metadata", "target_sizes", "splits", "timestamp"}
/// with the lists train_id, train_ood, val_id, val_ood, test_id, test_ood of SMILES under "splits".
struct SplitCache {
  /// The lists in their order; texts trimmed, labels 0 (the list tells whether a molecule is OOD).
  OodBenchmark benchmark;
  /// Differences between the file's own description and the training it is used for, a sentence each. The
  /// Python project only warns of them when the user has named the file.
  std::vector<std::string> mismatches;
};

/// The training that a split cache is used for.
struct SplitCacheUse {
  std::string benchmark_file;
  std::uint64_t data_seed = 42;
};

/// Reads such a file, gzip or not. Throws InputError naming file and line when it is another kind of file, or
/// a list is missing, empty or has other items than texts.
SplitCache read_split_cache(const std::string& path, const SplitCacheUse& use);

}  // namespace headroom::datasets
