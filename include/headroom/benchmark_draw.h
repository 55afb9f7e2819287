#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "headroom/choices.h"

namespace headroom {

/// The choice of molecules from a benchmark.
struct BenchmarkDraw {
  std::uint64_t data_seed = 42;
  DatasetType dataset_type = DatasetType::automatic;
  /// Number of molecules drawn for each side. 0: all. Without a value, 2000, 600 and 1000 are drawn, and
  /// 5000, 1500 and 2000 if `type` is good.
  std::optional<std::size_t> train_size, val_size, test_size;
  std::size_t debug_dataset_size = 0;  ///< reduces the parts and sizes for a quick trial; 0: off
  /// Seed for draws that the published program makes with its global generator (OodSelection::held_out_seed).
  std::uint64_t held_out_seed = 0;
  /// Accept molecules that occur in two parts that must not share molecules, such as train and test.
  /// Different SMILES of a molecule count as one molecule.
  bool allow_overlap = false;
};

}  // namespace headroom
