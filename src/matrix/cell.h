#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiment/spec.h"
#include "options/value.h"

namespace headroom::matrix {

/// One run of a matrix.
struct Cell {
  std::string benchmark, encoder;
  std::string method;       ///< name in the specification
  std::string kind;         ///< as experiment::method_kind() takes it
  options::Values options;  ///< all that the specification sets for it
  options::Values grid;     ///< those among them that take several values: which point of the grid this is
  std::uint64_t seed = 0, data_seed = 0;

  /// "energy-dpo", or "energy-dpo,dpo-beta=0.1" for a point of a grid: what is averaged over seeds.
  std::string variant() const;
  /// runs/ENCODER/BENCHMARK/VARIANT/seed_S_data_D, below the folder of the matrix.
  std::filesystem::path folder() const;
};

/// Every cell of the matrix: benchmarks, then encoders, data seeds, methods, grid points and seeds, so that
/// cells that share features follow each other.
/// Throws InputError where they are more than kMostCells, before it takes memory for them.
std::vector<Cell> expand(const experiment::Spec& spec);

/// What one matrix may have: each run has a folder of its own, and is kept in memory with its options.
inline constexpr std::uint64_t kMostCells = 100'000;

}  // namespace headroom::matrix
