#pragma once

#include <filesystem>
#include <string>

#include "engine/matrix_features.h"
#include "engine/matrix_plan.h"
#include "experiment/cell_result.h"
#include "headroom/train.h"

namespace headroom::verbs {

/// Everything but benchmark and features that the result of an energy method depends on.
std::string energy_identity(const TrainRequest& request);

/// Trains and evaluates an energy head with one thread, as planned. The folder becomes a run folder like any
/// other: `headroom evaluate` and `headroom score` take it.
experiment::CellResult run_energy_cell(const TrainRequest& request, const MatrixSides& sides,
                                       const std::string& features_identity, const CellPlan& plan,
                                       const std::filesystem::path& folder);

}  // namespace headroom::verbs
