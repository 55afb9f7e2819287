#pragma once

#include <filesystem>
#include <string>

#include "headroom/train.h"
#include "matrix/cell_result.h"
#include "session/matrix/matrix_features.h"
#include "session/matrix/matrix_plan.h"

namespace headroom::session {

/// Everything but benchmark and features that the result of an energy method depends on.
std::string energy_identity(const TrainRequest& request);

/// Trains and evaluates an energy head with one thread, as planned. The folder becomes a run folder like any
/// other: `headroom evaluate` and `headroom score` take it.
matrix::CellResult run_energy_cell(const TrainRequest& request, const MatrixSides& sides,
                                   const std::string& features_identity, const CellPlan& plan,
                                   const std::filesystem::path& folder);

}  // namespace headroom::session
