#pragma once

#include <filesystem>
#include <vector>

#include "experiment/matrix.h"

namespace headroom::experiment {

/// The summaries that the Python project's experiment programs write, under its file names and keys (see
/// write_tables).
void write_python_summaries(const std::filesystem::path& folder, const std::vector<CellOutcome>& outcomes);

}  // namespace headroom::experiment
