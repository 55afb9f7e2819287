#pragma once

#include <nlohmann/json_fwd.hpp>

#include "pages/toolkit/page.h"

namespace headroom::report {

/// Adds a figure and a table of the time and the memory of each phase of a command, with the tensors of the
/// steps within phases. `stats` holds the fields of read_cost(). Without phases, adds nothing.
void add_phase_costs(page::Page& page, const char* command, const nlohmann::ordered_json& stats);

}  // namespace headroom::report
