#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "headroom/types.h"

namespace headroom::matrix {

/// The cost of a call that computed runs of a matrix.
struct MatrixCost {
  std::vector<PhaseReport> phases;  ///< "encoding", "runs"
  std::string device;               ///< cpu, cuda:0
  std::size_t jobs = 1;             ///< runs at once
  std::size_t runs = 0;             ///< runs computed by this call
  std::uint64_t memory_budget_bytes = 0;
};

/// matrix_stats.json: seconds, peaks and plans (bytes) per phase, the budget, under the names of
/// training_stats.json; "device", "jobs", "runs_computed". Replaced atomically.
void write_matrix_stats(const std::filesystem::path& folder, const MatrixCost& cost);

}  // namespace headroom::matrix
