#include <fmt/format.h>

#include "base/core/text/bytes.h"
#include "base/core/text/counted.h"
#include "base/core/text/duration.h"
#include "base/memory/plan/budget.h"
#include "base/memory/plan/plan_report.h"

namespace molgauge::memory {
namespace {

std::string parts_of(const std::vector<MemoryContribution>& contributions) {
  std::string text;
  for (const MemoryContribution& part : contributions) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", part.name, format_bytes(part.bytes));
  }
  return text;
}

std::string line(const char* label, const std::string& text) {
  return fmt::format("{:<16}{}\n", label, text);
}

/// Returns a text such as "1 pair of molecules" or "2 pairs of molecules".
std::string items(std::size_t count, const std::string& name) {
  const std::size_t end = name.find(' ');
  std::string first = name.substr(0, end);
  if (first.ends_with('s')) {
    first.pop_back();
  }
  return counted(count, first) + (end == std::string::npos ? "" : name.substr(end));
}

/// Formats a share in per cent. A small share becomes "less than 1 %" instead of 0.
std::string share_text(double share) {
  return share > 0 && share < 0.005 ? "less than 1 %" : fmt::format("{:.0f} %", 100 * share);
}

std::string work_line(const MemoryPlan& plan) {
  std::string text = fmt::format("{}: {}", plan.work, items(plan.items, plan.items_name));
  if (plan.effective_batch > 0) {
    text += fmt::format(", effective batch {}", plan.effective_batch);
  }
  return text + "\n";
}

std::string alternatives_table(const MemoryPlan& plan) {
  std::size_t width = std::string_view("strategy").size();
  for (const PlannedAlternative& strategy : plan.alternatives) {
    width = std::max(width, strategy.settings.size());
  }
  std::string text = fmt::format("\n{:<{}}  {:>8}  {:>8}  {:>10}  {:>10}  {:>6}\n", "strategy", width,
                                 "batch", "batches", "projected", "saved", "time");
  for (const PlannedAlternative& strategy : plan.alternatives) {
    const auto saved = static_cast<std::uint64_t>(std::max<std::int64_t>(0, strategy.saved_bytes));
    text += fmt::format("{:<{}}  {:>8}  {:>8}  {:>10}  {:>10}  {:>6}  {}\n", strategy.settings, width,
                        strategy.batch_items, strategy.batches, format_bytes(strategy.projected_bytes),
                        saved == 0 ? "-" : format_bytes(saved),
                        fmt::format("x{:.2f}", strategy.relative_time), strategy.remark);
  }
  return text + "\n";
}

}  // namespace

std::string plan_text(const MemoryPlan& plan) {
  std::string text = work_line(plan);
  text += line("budget", format_bytes(plan.budget_bytes) + " for tensors");
  text += line("in use", format_bytes(plan.resident_bytes));
  text += line("free for a step", format_bytes(plan.free_bytes));
  text += alternatives_table(plan);
  if (!plan.chosen) {
    text += line("chosen", "nothing fits");
    text += line("largest parts", parts_of(plan.contributions));
  } else {
    const PlannedAlternative& strategy = plan.alternatives[*plan.chosen];
    text += line(
        "chosen",
        fmt::format(
            "{}: up to {}{} a batch{}", strategy.settings, items(strategy.batch_items, plan.items_name),
            strategy.batch_atoms > 0 ? " (" + counted(strategy.batch_atoms, "atom") + ")" : "",
            strategy.batches_a_step > 1 ? fmt::format(", up to {} batches a step", strategy.batches_a_step)
                                        : ""));
    text += line("projected peak",
                 strategy.projected_bytes == 0
                     ? "no tensors"
                     : fmt::format("{}, {} of the budget: {}", format_bytes(strategy.projected_bytes),
                                   share_text(plan.used_share), parts_of(plan.contributions)));
    text += line("limited by", plan.limited_by);
    // The time is unknown without a measurement.
    if (plan.projected_seconds > 0) {
      text += line("projected time", format_duration(plan.projected_seconds) + " for one pass");
    }
  }
  text += line("smallest budget", format_bytes(plan.smallest_budget_bytes) + " for tensors");
  if (plan.smallest_process_budget_bytes > 0) {
    text += line("whole command", "--memory-budget " + budget_to_type(plan.smallest_process_budget_bytes) +
                                      " at least, for the process and all phases");
  }
  text += line("known from", plan.probes == 0
                                 ? "the sizes of the inputs"
                                 : fmt::format("{}: {}", counted(plan.probes, "probe step"),
                                               plan.is_exact ? "the size of every tensor is explained"
                                                             : "fitted to measured peaks"));
  for (const std::string& note : plan.notes) {
    text += line("note", note);
  }
  return text;
}

}  // namespace molgauge::memory
