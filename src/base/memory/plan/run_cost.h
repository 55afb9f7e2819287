#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "molgauge/memory_plan.h"
#include "molgauge/types.h"

namespace molgauge::memory {

/// The time and memory that a run needed.
struct RunCost {
  std::string device;               ///< cpu, cuda:0
  std::vector<PhaseReport> phases;  ///< "encoding", "train", "eval", and steps within them
  std::size_t batch_size_planned = 0, batch_size_used = 0;
  std::size_t oom_recoveries = 0;
  std::vector<MemoryPlan> plans = {};  ///< plans of the phases; read_cost() does not read them
  /// Budgets of the device and of the process. 0 if not set.
  std::uint64_t memory_budget_bytes = 0, host_memory_budget_bytes = 0;
};

/// Returns the report of one phase. All figures are 0 if the phase did not run.
PhaseReport find_phase(const std::vector<PhaseReport>& phases, const std::string& name);

/// Returns the peak of allocated GPU memory in a phase, in GiB, as the Python project reports it. Returns 0
/// without a GPU.
double device_peak_in_gib(const std::vector<PhaseReport>& phases, const std::string& name);

/// Adds seconds and bytes of every phase, under the names in docs/reference/formats.md.
void add_phases(nlohmann::ordered_json& fields, const std::vector<PhaseReport>& phases);

/// Adds the same fields as add_phases(), and also device, budgets, plans, batch sizes and recoveries.
void add_cost(nlohmann::ordered_json& fields, const RunCost& cost);

/// Reads the fields of add_cost() or add_phases(). Fields that are missing become 0.
/// Throws nlohmann::json::exception for other content.
RunCost read_cost(const nlohmann::ordered_json& fields);

}  // namespace molgauge::memory
