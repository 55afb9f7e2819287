#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "molgauge/types.h"

namespace molgauge::matrix {

/// The cost of a call that computed runs of a matrix.
struct MatrixCost {
  std::vector<PhaseReport> phases;  ///< "encoding", "runs"
  std::string device;               ///< cpu, cuda:0
  std::size_t jobs = 1;             ///< runs in parallel
  std::size_t runs = 0;             ///< runs computed by this call
  std::uint64_t memory_budget_bytes = 0;
};

/// Writes matrix_stats.json atomically. The file contains seconds, peak bytes and planned bytes for each
/// phase, and the budget. These fields have the same names as in training_stats.json. Further fields are
/// "device", "jobs" and "runs_computed".
void write_matrix_stats(const std::filesystem::path& folder, const MatrixCost& cost);

}  // namespace molgauge::matrix
