#pragma once

#include <optional>
#include <span>

#include "headroom/memory_plan.h"
#include "memory/plan/planner.h"
#include "memory/plan/step_prober.h"
#include "memory/plan/strategies.h"

namespace headroom::memory {

/// What a planner has found.
struct Findings {
  const StepModel& model;
  const PlanningRequest& request;
  const StepProber& prober;
  const Strategies& strategies;
  std::span<const Strategy> found;
  std::optional<std::size_t> chosen;
};

/// All of MemoryPlan, text and JSON too.
MemoryPlan report_plan(const Findings& findings);

/// The plan line by line: what is projected, what is free, what each reduction would save, what was chosen
/// and why, and the projected time.
std::string plan_text(const MemoryPlan& plan);
std::string plan_json(const MemoryPlan& plan);

}  // namespace headroom::memory
