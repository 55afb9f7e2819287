#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/specification/spec.h"
#include "options/value.h"

namespace headroom::matrix {

/// One run of a matrix.
struct Cell {
  std::string benchmark, encoder;
  std::string method;       ///< name in the specification
  std::string kind;         ///< as for experiment::method_kind()
  options::Values options;  ///< all options that the specification sets for it
  options::Values grid;     ///< options with several values: the point of the grid
  std::uint64_t seed = 0, data_seed = 0;

  /// "energy-dpo", or "energy-dpo,dpo-beta=0.1" for a point of a grid: its runs are averaged over seeds.
  std::string variant() const;
  /// runs/ENCODER/BENCHMARK/VARIANT/seed_S_data_D, below the folder of the matrix.
  std::filesystem::path folder() const;
};

/// Every cell of the matrix: benchmarks, then encoders, data seeds, the methods that are for the encoder,
/// grid points and seeds, so that cells that share features follow each other. Throws InputError where there
/// are more than kMaxCells, before it takes memory for them.
std::vector<Cell> expand(const experiment::Spec& spec);

/// Most cells of a matrix: each run has a folder of its own, and is kept in memory with its options.
inline constexpr std::uint64_t kMaxCells = 100'000;

}  // namespace headroom::matrix
