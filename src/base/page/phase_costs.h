#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/page/page.h"

namespace molgauge::page {

/// The measured costs of a phase ("encoding", "train", "eval") of a command.
struct PhaseCost {
  std::string command, phase;
  double seconds = 0;
  std::uint64_t host_bytes = 0, device_bytes = 0;
  std::uint64_t planned_bytes = 0, budget_bytes = 0;  ///< 0 if not planned or unknown
  std::uint64_t tensor_bytes = 0;                     ///< 0 if the page does not show it
};

/// Appends the phases in the statistics of a command. `stats` contains the fields of read_cost().
void append_phases(std::vector<PhaseCost>& costs, const char* command, const nlohmann::ordered_json& stats);

/// Adds a figure and a table of the costs of each phase. Adds nothing if no costs are known.
void add_costs(Page& page, const std::vector<PhaseCost>& costs);

/// Adds the time and memory of each phase of a command, and the tensor memory of steps. `stats`: as in
/// append_phases(). Adds nothing if there are no phases.
void add_phase_costs(Page& page, const char* command, const nlohmann::ordered_json& stats);

}  // namespace molgauge::page
