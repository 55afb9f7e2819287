#pragma once

#include <optional>
#include <span>

#include "base/memory/plan/planner.h"
#include "base/memory/plan/step_prober.h"
#include "base/memory/plan/strategies.h"
#include "molgauge/memory_plan.h"

namespace molgauge::memory {

/// The results of a planner.
struct Findings {
  const StepModel& model;
  const PlanningRequest& request;
  const StepProber& prober;
  const Strategies& strategies;
  std::span<const Strategy> found;
  std::optional<std::size_t> chosen;
};

/// Returns the complete MemoryPlan. It has text and JSON if the request asks for them.
MemoryPlan report_plan(const Findings& findings);

/// Returns the plan as text: projected and free bytes, the savings of each reduction, the choice and its
/// reason, and the projected time.
std::string plan_text(const MemoryPlan& plan);
std::string plan_json(const MemoryPlan& plan);

}  // namespace molgauge::memory
