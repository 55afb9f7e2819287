#include "base/memory/plan/plan_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/core/text/bytes.h"

namespace molgauge::memory {
namespace {

/// If a plan uses at least this share of the budget, the budget counts as the limit of the plan.
constexpr double kWellUsed = 0.85;

std::string name_of(const Strategy& strategy, bool is_training) {
  if (is_training) {
    return to_string(strategy.settings);
  }
  const std::string cut = strategy.is_whole ? "all at once" : "in batches";
  return strategy.settings == StepSettings{} ? cut : cut + ", " + to_string(strategy.settings);
}

PlannedAlternative alternative(const Strategy& strategy, const Strategy& first, bool is_training) {
  return {.settings = name_of(strategy, is_training),
          .checkpointing = strategy.settings.checkpointing,
          .accumulating = strategy.settings.accumulating,
          .precision = strategy.settings.precision == Precision::bf16 ? "bf16" : "fp32",
          .batch_items = strategy.most_items,
          .batch_atoms = strategy.most_tokens,
          .batches = strategy.batches,
          .batches_a_step = is_training ? strategy.batches_a_step : 1,
          .projected_bytes = strategy.worst_peak,
          .saved_bytes =
              static_cast<std::int64_t>(first.worst_peak) - static_cast<std::int64_t>(strategy.worst_peak),
          .fits = strategy.fits,
          .relative_time = strategy.time / first.time,
          .remark = ""};
}

/// The smallest peak that any strategy can reach, with the settings and the batch of this peak. A strategy
/// with divisible batches needs at least the peak of the largest single item. A strategy with whole batches
/// needs the peak of its worst batch.
struct Smallest {
  std::uint64_t bytes = 0;
  StepSettings settings;
  Cost cost;
};

Smallest smallest_of(const Findings& findings) {
  Smallest smallest;
  for (const Strategy& strategy : findings.found) {
    const StepProjection& projection = findings.strategies.projection(strategy.settings);
    Smallest here{0, strategy.settings, {}};
    if (strategy.is_whole) {
      here = {strategy.worst_peak, strategy.settings, findings.model.cost(strategy.worst_batch)};
    } else {
      for (const ItemSize& item : findings.request.items) {
        const Cost cost = findings.model.cost({&item, 1});
        if (projection.peak_bytes(cost) > here.bytes) {
          here = {projection.peak_bytes(cost), strategy.settings, cost};
        }
      }
    }
    if (smallest.bytes == 0 || here.bytes < smallest.bytes) {
      smallest = here;
    }
  }
  return smallest;
}

/// The parts of the memory of a step at its peak: the resident memory that the model reports, and the
/// allocations of the step.
std::vector<MemoryContribution> contributions(const Findings& findings, const StepSettings& settings,
                                              const Cost& cost) {
  const auto held = findings.strategies.projection(settings).held_bytes(cost);
  std::vector<MemoryContribution> parts = findings.model.resident(settings);
  std::uint64_t kept = held[static_cast<std::size_t>(AllocationTag::kept)];
  for (MemoryContribution& part : parts) {
    part.bytes = std::min(part.bytes, kept);
    kept -= part.bytes;
  }
  for (std::size_t i = 0; i < kContributors; ++i) {
    const auto contributor = static_cast<AllocationTag>(i);
    const std::uint64_t bytes = contributor == AllocationTag::kept ? kept : held[i];
    const std::string name = to_string(contributor);
    const auto same =
        std::find_if(parts.begin(), parts.end(), [&](const auto& part) { return part.name == name; });
    if (same != parts.end()) {
      same->bytes += bytes;
    } else if (bytes > 0) {
      parts.push_back({name, bytes});
    }
  }
  std::erase_if(parts, [](const MemoryContribution& part) { return part.bytes == 0; });
  sort_contributions(parts);
  return parts;
}

std::string limit_of(const Findings& findings, const Strategy& strategy, double used_share) {
  const PlanningRequest& request = findings.request;
  if (strategy.is_whole) {
    return request.effective_batch > 0 && request.effective_batch <= request.items.size()
               ? fmt::format("the effective batch of {}, as requested", request.effective_batch)
               : fmt::format("the data: all {} {} are in one batch", request.items.size(),
                             request.items_name);
  }
  if (strategy.held_by_tokens) {
    return findings.strategies.token_limit()->reason;
  }
  if (request.most_items && strategy.most_items == *request.most_items) {
    return fmt::format("batches of {}, as requested", strategy.most_items);
  }
  if (used_share >= kWellUsed) {
    return "the budget";
  }
  return fmt::format("the size of the {}: a batch with one more would not fit", request.items_name);
}

std::string remark_of(const Strategy& strategy, const Findings& findings, bool is_chosen) {
  if (is_chosen) {
    return findings.found.size() == 1 ? "chosen" : "chosen: the fastest that fits";
  }
  if (!strategy.fits) {
    return fmt::format(
        "needs {} more than the budget",
        format_bytes(strategy.worst_peak - findings.strategies.limit_bytes(strategy.settings)));
  }
  return strategy.may_be_chosen ? "fits, but is not faster" : "fits, but is not faster for it";
}

void describe_chosen(MemoryPlan& plan, const Findings& findings, const Strategy& strategy) {
  const StepProjection& projection = findings.strategies.projection(strategy.settings);
  plan.resident_bytes = projection.resident_bytes();
  plan.free_bytes = plan.budget_bytes - std::min(plan.budget_bytes, plan.resident_bytes);
  plan.used_share = static_cast<double>(strategy.worst_peak) / static_cast<double>(plan.budget_bytes);
  plan.limited_by = limit_of(findings, strategy, plan.used_share);
  plan.projected_seconds = strategy.time * findings.prober.seconds_a_unit();
  plan.is_exact = projection.is_exact();
  plan.contributions = contributions(findings, strategy.settings, findings.model.cost(strategy.worst_batch));
}

}  // namespace

MemoryPlan report_plan(const Findings& findings) {
  const PlanningRequest& request = findings.request;
  MemoryPlan plan;
  plan.work = findings.model.name();
  plan.items_name = request.items_name;
  plan.items = request.items.size();
  plan.effective_batch = request.effective_batch;
  plan.budget_bytes = request.budget_bytes;
  plan.chosen = findings.chosen;
  plan.probes = findings.prober.probes();
  for (std::size_t i = 0; i < findings.found.size(); ++i) {
    const Strategy& strategy = findings.found[i];
    plan.alternatives.push_back(alternative(strategy, findings.found[0], request.effective_batch > 0));
    plan.alternatives.back().remark = remark_of(strategy, findings, findings.chosen == i);
  }
  const Smallest smallest = smallest_of(findings);
  plan.smallest_budget_bytes = smallest.bytes;
  if (findings.chosen) {
    describe_chosen(plan, findings, findings.found[*findings.chosen]);
  } else if (smallest.bytes > 0) {
    plan.resident_bytes = findings.strategies.projection(smallest.settings).resident_bytes();
    plan.free_bytes = plan.budget_bytes - std::min(plan.budget_bytes, plan.resident_bytes);
    plan.contributions = contributions(findings, smallest.settings, smallest.cost);
  } else {
    plan.contributions = findings.model.resident({});
  }
  if (request.printed) {
    print_plan(plan);
  }
  return plan;
}

std::size_t choose_quickest(MemoryPlan& plan, std::uint64_t budget_bytes) {
  auto& alternatives = plan.alternatives;
  for (std::size_t i = 0; i < alternatives.size(); ++i) {
    if (alternatives[i].fits &&
        (!plan.chosen || alternatives[i].relative_time < alternatives[*plan.chosen].relative_time)) {
      plan.chosen = i;
    }
  }
  const auto smallest = std::min_element(
      alternatives.begin(), alternatives.end(),
      [](const auto& one, const auto& other) { return one.projected_bytes < other.projected_bytes; });
  plan.smallest_budget_bytes = smallest->projected_bytes;
  const std::size_t shown = plan.chosen.value_or(static_cast<std::size_t>(smallest - alternatives.begin()));
  if (plan.chosen) {
    alternatives[shown].remark = "chosen";
  }
  plan.used_share = static_cast<double>(alternatives[shown].projected_bytes) /
                    static_cast<double>(std::max<std::uint64_t>(1, budget_bytes));
  return shown;
}

void sort_contributions(std::vector<MemoryContribution>& contributions) {
  std::stable_sort(contributions.begin(), contributions.end(),
                   [](const auto& one, const auto& other) { return one.bytes > other.bytes; });
}

void print_plan(MemoryPlan& plan) {
  plan.text = plan_text(plan);
  plan.json = plan_json(plan);
}

std::uint64_t remaining_bytes(const MemoryPlan& plan, std::uint64_t living) {
  const std::uint64_t all =
      plan.chosen ? plan.alternatives[*plan.chosen].projected_bytes : plan.smallest_budget_bytes;
  return all - std::min(all, living);
}

}  // namespace molgauge::memory
