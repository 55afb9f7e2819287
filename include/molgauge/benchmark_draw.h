#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "molgauge/choices.h"

namespace molgauge {

/// Selects the molecules to draw from a benchmark.
struct BenchmarkDraw {
  std::uint64_t data_seed = 42;
  DatasetType dataset_type = DatasetType::automatic;
  /// Number of molecules to draw for each side (ID and OOD) of a part. 0 draws all. The defaults are 2000,
  /// 600 and 1000, or 5000, 1500 and 2000 for the dataset type `good`.
  std::optional<std::size_t> train_size, val_size, test_size;
  /// For a quick trial: every part is cut to this many molecules, and the default sizes above are multiplied
  /// by this number divided by the default training size. 0 has no effect.
  std::size_t debug_dataset_size = 0;
  /// Seed for the draws that the published program makes with its global random generator
  /// (OodSelection::held_out_seed).
  std::uint64_t held_out_seed = 0;
  /// Accept molecules that occur in two parts that must not share molecules, such as train and test.
  /// Different SMILES of a molecule count as one molecule.
  bool allow_overlap = false;
};

}  // namespace molgauge
