#include "allocator/explain/explanation_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/bytes.h"
#include "core/counted.h"

namespace headroom::allocator {
namespace {

constexpr std::size_t kHolders = 8;
constexpr std::size_t kStretches = 12;

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.0f} %",
                     whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string at_moment(const MemoryRunOut& moment) {
  return moment.phase.empty() ? fmt::format("at event {}", moment.event)
                              : fmt::format("in {} (event {})", moment.phase, moment.event);
}

std::string ran_out(const MemoryExplanation& explanation) {
  const auto& moment = explanation.moment;
  return fmt::format(
      "Memory ran out {}: {} were asked for; {} of {} were reserved, {} of them in use.", at_moment(moment),
      format_bytes(moment.requested_bytes), format_bytes(moment.reserved_bytes),
      format_bytes(explanation.capacity_bytes.value_or(0)), format_bytes(moment.allocated_bytes));
}

/// What had to be enough.
std::string place(const MemoryExplanation& explanation) {
  return explanation.allowed_bytes ? fmt::format("the {} of the card that per_process_memory_fraction allows",
                                                 format_bytes(*explanation.allowed_bytes))
                                   : "the card";
}

std::string header(const MemoryExplanation& explanation) {
  std::string text =
      fmt::format("{}: {}, {}, {}\n", explanation.source, explanation.format,
                  counted(explanation.events, "event"), counted(explanation.allocations, "allocation"));
  text += recorded_on(explanation) + "\n";
  for (const auto& note : explanation.notes) {
    text += "note: " + note + "\n";
  }
  if (explanation.recorded_peak_reserved_bytes) {
    text += fmt::format("highest reserved memory: {} simulated, {} recorded\n",
                        format_bytes(explanation.peak_reserved_bytes),
                        format_bytes(*explanation.recorded_peak_reserved_bytes));
  }
  return text;
}

std::string holders(const MemoryExplanation& explanation) {
  std::string text = "\nIn use at that moment:\n";
  std::uint64_t others = 0;
  for (std::size_t i = 0; i < explanation.holders.size(); ++i) {
    const auto& holder = explanation.holders[i];
    if (i < kHolders) {
      text += fmt::format("  {:>10}  {:>13}  {}\n", format_bytes(holder.bytes),
                          counted(holder.blocks, "block"), holder.origin);
    } else {
      others += holder.bytes;
    }
  }
  if (others > 0) {
    text += fmt::format("  {:>10}  {}\n", format_bytes(others),
                        counted(explanation.holders.size() - kHolders, "more origin"));
  }
  const std::uint64_t rounding =
      explanation.moment.allocated_bytes -
      std::min(explanation.moment.allocated_bytes, explanation.requested_live_bytes);
  if (explanation.on_cpu) {
    return text;
  }
  return text +
         fmt::format(
             "Not in use: {} stranded in segments that something still lives in; largest free block {}; "
             "{} lost to rounding\n",
             format_bytes(explanation.moment.stranded_bytes),
             format_bytes(explanation.moment.largest_free_block_bytes), format_bytes(rounding));
}

std::string stretches(const MemoryExplanation& explanation) {
  if (explanation.stretches.empty() || explanation.on_cpu) {
    return "";
  }
  std::string text = fmt::format("\n{:<16} {:>12} {:>12} {:>12} {:>14}\n", "at the end of", "reserved",
                                 "in use", "stranded", "largest free");
  const std::size_t first =
      explanation.stretches.size() > kStretches ? explanation.stretches.size() - kStretches : 0;
  for (std::size_t i = first; i < explanation.stretches.size(); ++i) {
    const auto& [name, point] = explanation.stretches[i];
    text += fmt::format("{:<16} {:>12} {:>12} {:>12} {:>14}\n", name, format_bytes(point.reserved_bytes),
                        format_bytes(point.allocated_bytes), format_bytes(point.stranded_bytes),
                        format_bytes(point.largest_free_block_bytes));
  }
  return text + "(reserved and in use: the highest within it)\n";
}

std::string cures(const MemoryExplanation& explanation) {
  if (explanation.cures.empty()) {
    return "";
  }
  std::string text = "\nSimulated changes:\n";
  for (const auto& cure : explanation.cures) {
    text += fmt::format("  {} {}: {}\n", cure.is_cure ? "+" : "-", cure.change, outcome_of(cure));
  }
  return text;
}

}  // namespace

std::string recorded_on(const MemoryExplanation& explanation) {
  if (explanation.on_cpu) {
    return "recorded on a CPU, whose allocator keeps no cache and has no settings; --capacity simulates a "
           "GPU";
  }
  return fmt::format(
      "settings: {}; card: {}", explanation.settings.empty() ? "defaults" : explanation.settings,
      explanation.capacity_bytes ? format_bytes(*explanation.capacity_bytes) : "without limit");
}

std::string verdict_sentence(const MemoryExplanation& explanation) {
  const auto& moment = explanation.moment;
  switch (explanation.verdict) {
    case MemoryVerdict::fragmented:
      return ran_out(explanation) +
             fmt::format(
                 " It is fragmentation: what lived and what was asked for fit {} together, but {} were "
                 "stranded in split segments, the largest free block had {}, and the driver had {} left.",
                 place(explanation), format_bytes(moment.stranded_bytes),
                 format_bytes(moment.largest_free_block_bytes), format_bytes(moment.device_free_bytes));
    case MemoryVerdict::too_much:
      return ran_out(explanation) + fmt::format(
                                        " It is too much for {}: what lived and what was asked for exceed "
                                        "it, whatever the {}settings.",
                                        place(explanation), explanation.allowed_bytes ? "other " : "");
    case MemoryVerdict::wasteful:
      return fmt::format("Memory did not run out, but of {} reserved {} only {} ({}) were in use.",
                         format_bytes(moment.reserved_bytes), at_moment(moment),
                         format_bytes(moment.allocated_bytes),
                         percent(moment.allocated_bytes, moment.reserved_bytes));
    case MemoryVerdict::sound:
      break;
  }
  if (explanation.on_cpu) {
    return fmt::format("At the highest, {}, {} were in use by tensors.", at_moment(moment),
                       format_bytes(moment.allocated_bytes));
  }
  return fmt::format("Memory did not run out, and {} of the {} reserved {} were in use.",
                     percent(moment.allocated_bytes, moment.reserved_bytes),
                     format_bytes(moment.reserved_bytes), at_moment(moment));
}

std::string cure_sentence(const MemoryExplanation& explanation) {
  if (explanation.on_cpu) {
    return "To take less: smaller batches (--batch-atoms, --batch-size), or a smaller --memory-budget, which "
           "chooses "
           "them.";
  }
  if (explanation.verdict == MemoryVerdict::sound) {
    return "Nothing needs to be changed.";
  }
  if (explanation.cures.empty() || !explanation.cures.front().is_cure) {
    return "None of the changes that were simulated cures it.";
  }
  const auto& best = explanation.cures.front();
  return fmt::format("Cure, verified by simulation: {}; {}.", best.change, outcome_of(best));
}

std::string outcome_of(const MemoryCure& cure) {
  if (cure.run_out_event) {
    return fmt::format("runs out at event {}", *cure.run_out_event);
  }
  return fmt::format("fits, {} reserved at most, {}", format_bytes(cure.peak_reserved_bytes),
                     cure.retries == 1 ? "1 retry" : fmt::format("{} retries", cure.retries));
}

std::string explanation_text(const MemoryExplanation& explanation) {
  return header(explanation) + "\n" + verdict_sentence(explanation) + "\n" + cure_sentence(explanation) +
         "\n" + holders(explanation) + stretches(explanation) + cures(explanation);
}

}  // namespace headroom::allocator
