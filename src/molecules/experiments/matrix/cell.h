#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/options/value.h"
#include "molecules/experiments/specification/spec.h"

namespace molgauge::matrix {

/// One run of a matrix.
struct Cell {
  std::string benchmark, encoder;
  std::string method;       ///< name in the specification
  std::string kind;         ///< kind as in experiment::method_kind()
  options::Values options;  ///< all options of the method in the specification
  options::Values grid;     ///< the point of the grid: one value of each option with several values
  std::uint64_t seed = 0, data_seed = 0;

  /// The name of the variant, for example "energy-dpo", or "energy-dpo,dpo-beta=0.1" for a point of a grid.
  /// Results are averaged over the seeds of a variant.
  std::string variant() const;
  /// Returns runs/ENCODER/BENCHMARK/VARIANT/seed_S_data_D, relative to the folder of the matrix.
  std::filesystem::path folder() const;
};

/// Returns all cells of the matrix, ordered by benchmark, encoder, data seed, method (if it applies to the
/// encoder), grid point and seed. Cells with the same features are therefore adjacent. Throws InputError if
/// there are more than kMaxCells cells. This check comes before any memory is allocated for cells.
std::vector<Cell> expand(const experiment::Spec& spec);

/// Maximum number of cells in a matrix. More cells would need too many folders and too much memory, because
/// each run has its own folder and keeps its options in memory.
inline constexpr std::uint64_t kMaxCells = 100'000;

}  // namespace molgauge::matrix
