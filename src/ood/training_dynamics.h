#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "ood/pair_statistics.h"

namespace headroom::ood {

/// Writes training_dynamics.csv, atomically: epoch (1-based), misranked_ratio, boundary_ratio, avg_margin, a
/// row an epoch; numbers with as many digits as it takes to read the same double back.
void write_training_dynamics(const std::filesystem::path& path, const std::vector<PairStatistics>& epochs);

}  // namespace headroom::ood
