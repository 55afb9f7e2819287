#include <nlohmann/json.hpp>

#include "base/core/json/json_text.h"
#include "base/memory/plan/plan_report.h"

namespace molgauge::memory {
namespace {

nlohmann::ordered_json to_json(const PlannedAlternative& strategy) {
  return {{"settings", strategy.settings},
          {"checkpointing", strategy.checkpointing},
          {"accumulating", strategy.accumulating},
          {"precision", strategy.precision},
          {"batch_items", strategy.batch_items},
          {"batch_atoms", strategy.batch_atoms},
          {"batches", strategy.batches},
          {"batches_a_step", strategy.batches_a_step},
          {"projected_bytes", strategy.projected_bytes},
          {"saved_bytes", strategy.saved_bytes},
          {"fits", strategy.fits},
          {"relative_time", strategy.relative_time},
          {"remark", strategy.remark}};
}

}  // namespace

std::string plan_json(const MemoryPlan& plan) {
  auto alternatives = nlohmann::ordered_json::array();
  for (const PlannedAlternative& strategy : plan.alternatives) {
    alternatives.push_back(to_json(strategy));
  }
  nlohmann::ordered_json contributions = nlohmann::ordered_json::object();
  for (const MemoryContribution& part : plan.contributions) {
    contributions[part.name] = part.bytes;
  }
  nlohmann::ordered_json chosen;  // null if no batch fits
  if (plan.chosen) {
    chosen = *plan.chosen;
  }
  const nlohmann::ordered_json json = {{"work", plan.work},
                                       {"items", plan.items},
                                       {"effective_batch", plan.effective_batch},
                                       {"budget_bytes", plan.budget_bytes},
                                       {"resident_bytes", plan.resident_bytes},
                                       {"free_bytes", plan.free_bytes},
                                       {"alternatives", alternatives},
                                       {"chosen", chosen},
                                       {"limited_by", plan.limited_by},
                                       {"used_share", plan.used_share},
                                       {"projected_seconds", plan.projected_seconds},
                                       {"contributions", contributions},
                                       {"smallest_budget_bytes", plan.smallest_budget_bytes},
                                       {"smallest_process_budget_bytes", plan.smallest_process_budget_bytes},
                                       {"probes", plan.probes},
                                       {"is_exact", plan.is_exact},
                                       {"notes", plan.notes}};
  return json_text(json);
}

}  // namespace molgauge::memory
