#pragma once

#include <nlohmann/json_fwd.hpp>

#include "pages/toolkit/page.h"

namespace molgauge::report {

/// Adds a figure and a table of time and memory for each phase of a command, and the tensor memory of steps.
/// `stats` contains the fields of read_cost(). Adds nothing if there are no phases.
void add_phase_costs(page::Page& page, const char* command, const nlohmann::ordered_json& stats);

}  // namespace molgauge::report
