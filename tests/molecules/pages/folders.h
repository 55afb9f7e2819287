#pragma once

#include <filesystem>
#include <string>

#include "molecules/experiments/matrix/matrix.h"

namespace molgauge::test {

/// A matrix of two methods (one of them has a grid of two points) and three seeds on one benchmark. Writes
/// the files that an interrupted `molgauge experiment` leaves. There are no training files.
std::vector<matrix::Cell> write_matrix(const std::filesystem::path& folder);

/// The run folder of a cell: predictions of a few molecules and a training curve.
void write_run(const std::filesystem::path& run);

}  // namespace molgauge::test
