#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "headroom/choices.h"

namespace headroom {

/// Which molecules of a benchmark are used.
struct BenchmarkDraw {
  std::uint64_t data_seed = 42;
  DatasetType dataset_type = DatasetType::automatic;
  /// Molecules drawn per side; 0: all; none: 2000, 600 and 1000, for good 5000, 1500 and 2000.
  std::optional<std::size_t> train_size, val_size, test_size;
  std::size_t debug_dataset_size = 0;  ///< cuts the parts and scales the sizes for a quick trial; 0: none
  /// Seed of draws that the published program makes with its global generator (OodSelection::held_out_seed).
  std::uint64_t held_out_seed = 0;
  /// Accept molecules that, in any spelling, are in parts which must not share any, such as train and test.
  bool allow_overlap = false;
};

}  // namespace headroom
