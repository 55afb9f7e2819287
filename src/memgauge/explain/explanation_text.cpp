#include "memgauge/explain/explanation_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/text/bytes.h"
#include "base/core/text/counted.h"
#include "memgauge/explain/roles.h"

namespace molgauge::allocator {
namespace {

constexpr std::size_t kHolders = 8, kLeaks = 5;
constexpr std::size_t kStretches = 12;
/// Memory of the previous iteration is mentioned if it is at least this share of the memory in use.
constexpr double kWorthNaming = 0.02;
/// Memory from before the recording is mentioned if it is at least this share of the highest reserved memory.
constexpr double kMostOfIt = 0.9;

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.0f} %",
                     whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string retries(std::size_t count) { return count == 1 ? "1 retry" : fmt::format("{} retries", count); }

std::string at_moment(const MemoryExplanation& explanation) {
  const MemoryRunOut& moment = explanation.moment;
  if (moment.event < explanation.residents) {
    return "when the recording began";
  }
  std::string place = moment.phase == kNoStack ? "" : moment.phase;
  if (!moment.origin.empty() && moment.origin != moment.phase && moment.origin != kNoStack) {
    place += place.empty() ? moment.origin : ", " + moment.origin;
  }
  if (place == kNoPhase) {
    return fmt::format("{}, at event {}", place, moment.event);
  }
  return place.empty() ? fmt::format("at event {}", moment.event)
                       : fmt::format("in {} (event {})", place, moment.event);
}

std::string ran_out(const MemoryExplanation& explanation) {
  const auto& moment = explanation.moment;
  return fmt::format(
      "Memory ran out{} {}: {} were requested. {} of {} were reserved, and {} of them were in use.",
      explanation.devices.size() > 1 ? fmt::format(" on GPU {}", explanation.device) : "",
      at_moment(explanation), format_bytes(moment.requested_bytes), format_bytes(moment.reserved_bytes),
      format_bytes(explanation.capacity_bytes.value_or(0)), format_bytes(moment.allocated_bytes));
}

/// Names the memory that was available: the card, or the part of it that the process may use.
std::string place(const MemoryExplanation& explanation) {
  if (!explanation.allowed_bytes) {
    return "the card";
  }
  return fmt::format(
      "the {} of the card that {} allows", format_bytes(*explanation.allowed_bytes),
      explanation.allowed_is_inferred ? "the memory fraction of the program" : "per_process_memory_fraction");
}

std::string devices(const MemoryExplanation& explanation) {
  if (explanation.devices.size() < 2) {
    return "";
  }
  const bool one_file = std::all_of(
      explanation.devices.begin(), explanation.devices.end(),
      [&](const MemoryOfDevice& device) { return device.source == explanation.devices.front().source; });
  std::string text = "devices:\n";
  for (const auto& device : explanation.devices) {
    const std::string file = device.source.substr(device.source.find_last_of('/') + 1);
    text += fmt::format("  {} GPU {}{}: {} reserved at the peak, {} in use when it was dumped, {}{}\n",
                        device.is_explained ? '>' : ' ', device.device, one_file ? "" : " of " + file,
                        format_bytes(device.peak_reserved_bytes), format_bytes(device.in_use_bytes),
                        counted(device.events, "recorded event"),
                        device.out_of_memory == 0
                            ? ""
                            : fmt::format(". Memory ran out {}", counted(device.out_of_memory, "time")));
  }
  return text;
}

/// Describes the baseline: the simulation without changes. Changes are compared with it.
std::string baseline(const MemoryExplanation& explanation) {
  if (!explanation.baseline) {
    return "";
  }
  const auto& base = *explanation.baseline;
  return fmt::format(
      "baseline: simulated under the recorded settings {} reserved at most, {} recorded, {} of {} "
      "events differ\n",
      format_bytes(base.peak_reserved_bytes), format_bytes(base.recorded_peak_reserved_bytes),
      base.different_events, base.compared_events);
}

std::string header(const MemoryExplanation& explanation) {
  std::string text = title_of(explanation) + "\n";
  text += recorded_on(explanation) + "\n" + devices(explanation);
  for (const auto& note : explanation.notes) {
    text += "note: " + note + "\n";
  }
  const bool has_history = explanation.verdict != MemoryVerdict::no_history;
  if (explanation.recorded_peak_reserved_bytes && has_history) {
    text += baseline(explanation);
  }
  if (explanation.retries > 0) {
    text += fmt::format(
        "in the recorded run {} the whole cache, which waits for the GPU\n",
        explanation.retries == 1 ? "1 retry released" : retries(explanation.retries) + " released");
  }
  if (explanation.empty_cache_calls > 0) {
    text += fmt::format("in the recorded run empty_cache() returned memory to the driver {}\n",
                        counted(explanation.empty_cache_calls, "time"));
  }
  return text;
}

std::string holder_line(const MemoryHolder& holder) {
  std::string text = fmt::format("  {:>10}  {:>13}  {}", format_bytes(holder.bytes),
                                 counted(holder.blocks, "block"), holder.origin);
  text += fmt::format(" [{}]", role_of(holder));
  if (!holder.pool.empty()) {
    text += fmt::format(", in the private pool {}", holder.pool);
  }
  if (holder.pending) {
    text += ", freed, but another stream may still use it";
  }
  text += "\n";
  // The name already contains the first frame.
  if (holder.frames.size() > 1) {
    text += fmt::format("{:>29}called by {}\n", "",
                        fmt::join(holder.frames.begin() + 1, holder.frames.end(), " < "));
  }
  return text;
}

std::string holders(const MemoryExplanation& explanation) {
  std::string text = explanation.verdict == MemoryVerdict::no_history ? "\nIn use when it was taken:\n"
                                                                      : "\nIn use at that moment:\n";
  std::uint64_t others = 0;
  for (std::size_t i = 0; i < explanation.holders.size(); ++i) {
    const auto& holder = explanation.holders[i];
    if (i < kHolders) {
      text += holder_line(holder);
    } else {
      others += holder.bytes;
    }
  }
  if (others > 0) {
    text += fmt::format("  {:>10}  {}\n", format_bytes(others),
                        counted(explanation.holders.size() - kHolders, "more origin"));
  }
  if (explanation.on_cpu) {
    return text;
  }
  const auto& moment = explanation.moment;
  const std::uint64_t rounding =
      moment.allocated_bytes - std::min(moment.allocated_bytes, explanation.requested_live_bytes);
  text += fmt::format(
      "Not in use: {} stranded in segments with living blocks, largest free block {}, {} lost to rounding\n",
      format_bytes(moment.stranded_bytes), format_bytes(moment.largest_free_block_bytes),
      format_bytes(rounding));
  if (moment.pending_bytes > 0) {
    text += fmt::format("Pending: {} were freed, but another stream may still use them (record_stream)\n",
                        format_bytes(moment.pending_bytes));
  }
  for (const auto& pool : explanation.pools) {
    text += fmt::format(
        "Private pool {}: {} of {} in use in {}{}\n", pool.name, format_bytes(pool.in_use_bytes),
        format_bytes(pool.reserved_bytes), counted(pool.segments, "segment"),
        pool.pending_bytes == 0 ? "" : fmt::format(", {} pending", format_bytes(pool.pending_bytes)));
  }
  return text;
}

/// Says how much memory of the previous iteration is still live, for example a loss, outputs or a second
/// graph.
std::string kept_from_before(const MemoryExplanation& explanation) {
  const std::uint64_t kept = explanation.kept_from_before_bytes;
  if (explanation.cause == MemoryCause::graph_retained || kept == 0 ||
      static_cast<double>(kept) < kWorthNaming * static_cast<double>(explanation.moment.allocated_bytes)) {
    return "";
  }
  return fmt::format(
      "Kept from the previous iteration: {} of activations. A variable such as loss or logits still refers "
      "to them or their graph. Delete it (del) before the next forward pass\n",
      format_bytes(kept));
}

std::string leaks(const MemoryExplanation& explanation) {
  if (explanation.leaks.empty()) {
    return "";
  }
  std::string text = "\nKept by every iteration and never freed:\n";
  for (std::size_t i = 0; i < std::min(kLeaks, explanation.leaks.size()); ++i) {
    const auto& leak = explanation.leaks[i];
    text += fmt::format("  {:>10} an iteration, {} after {}  {}\n", format_bytes(leak.bytes_per_iteration),
                        format_bytes(leak.bytes), counted(leak.iterations, "iteration"), leak.origin);
  }
  return text;
}

std::string fit_of(const MemorySaving& saving) {
  return !saving.fits ? "" : *saving.fits ? ". The request then fits" : ". The request still does not fit";
}

std::string savings(const MemoryExplanation& explanation) {
  if (explanation.savings.empty() || explanation.on_cpu) {
    return "";
  }
  std::string text = explanation.ends_with_failure
                         ? "\nChanges that would have lowered the memory in use when it ran out (the rest of "
                           "the work is not known):\n"
                         : "\nIf you need more room, these changes lower the peak:\n";
  for (const auto& saving : explanation.savings) {
    text += fmt::format("  {:>10}  {} (applies to {}), cost: {}, {}{}{}\n", format_bytes(saving.saved_bytes),
                        saving.change, format_bytes(saving.held_bytes), saving.price,
                        saving.is_simulated ? "simulated" : "estimated",
                        saving.limit.empty() ? "" : ", " + saving.limit, fit_of(saving));
  }
  return text;
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
  return text + "(reserved and in use: peaks within the phase)\n";
}

const char* what_a_cure_does(const MemoryExplanation& explanation) {
  const bool ran_out =
      explanation.verdict == MemoryVerdict::fragmented || explanation.verdict == MemoryVerdict::too_much;
  return ran_out                   ? "fits"
         : explanation.retries > 0 ? "reserves at least 5 % less, or more than halves the retries"
                                   : "reserves at least 5 % less";
}

std::string cures(const MemoryExplanation& explanation) {
  if (explanation.cures.empty()) {
    return "";
  }
  std::string text = explanation.ends_with_failure
                         ? "\nSimulated changes (up to the request that failed, where the recording ends):\n"
                         : fmt::format("\nSimulated changes, to the end of the recording (+ {}):\n",
                                       what_a_cure_does(explanation));
  for (const auto& cure : explanation.cures) {
    text += fmt::format("  {} {}: {}{}\n", cure.is_cure ? "+" : "-", cure.change, outcome_of(cure),
                        cure.remark.empty() ? "" : fmt::format(" [{}]", cure.remark));
  }
  return text;
}

/// Lists the figures that determined the answer, with their thresholds. A figure close to its threshold shows
/// that another answer was close.
std::string margins(const MemoryExplanation& explanation) {
  std::string text;
  for (const auto& margin : explanation.margins) {
    text += fmt::format("  {}: {:.0f} % (threshold {:.0f} %)\n", margin.figure, 100 * margin.value,
                        100 * margin.threshold);
  }
  return text.empty() ? "" : "\nDecided by:\n" + text;
}

bool a_setting_helps(const MemoryExplanation& explanation) {
  return std::any_of(explanation.cures.begin(), explanation.cures.end(),
                     [](const MemoryCure& cure) { return cure.is_cure && cure.is_setting; });
}

/// Says that no setting helps. Returns an empty text if the cause is rounding, because rounding is a setting.
/// If the memory fraction limits the memory, the text says "other settings", because the fraction is a
/// setting as well.
std::string whatever_the_settings(const MemoryExplanation& explanation) {
  if (a_setting_helps(explanation) || explanation.cause == MemoryCause::rounding) {
    return "";
  }
  return fmt::format(", whatever the {}settings", explanation.allowed_bytes ? "other " : "");
}

/// Says how much of the peak was already reserved when the recording began, if this is most of the peak.
std::string reserved_before(const MemoryExplanation& explanation) {
  const auto before = static_cast<double>(explanation.reserved_before_bytes);
  return before < kMostOfIt * static_cast<double>(explanation.peak_reserved_bytes) || before == 0
             ? ""
             : fmt::format(
                   " {} of them were reserved when the recording began, and their use before is not "
                   "recorded.",
                   format_bytes(explanation.reserved_before_bytes));
}

std::string compared_with_baseline(const MemoryExplanation& explanation) {
  return !explanation.baseline ? ""
                               : fmt::format(", and {} without a change",
                                             format_bytes(explanation.baseline->peak_reserved_bytes));
}

std::string extrapolation_sentence(const MemoryExtrapolation& found) {
  return fmt::format(
      "Estimated from {}, which finished the same work with tensors {:.2f} times smaller: this batch needs "
      "{}, so at most {:.0f} % of it fits.",
      found.from, found.ratio, format_bytes(found.needed_bytes), std::floor(100 * found.share));
}

}  // namespace

std::string title_of(const MemoryExplanation& explanation) {
  return explanation.verdict == MemoryVerdict::no_history
             ? fmt::format("{}: {} {}, {} in use", explanation.source, explanation.format,
                           explanation.events > explanation.residents ? "of one moment" : "without a trace",
                           counted(explanation.allocations, "block"))
             : fmt::format("{}: {}, {}{}, {}", explanation.source, explanation.format,
                           counted(explanation.events - explanation.residents, "event"),
                           explanation.residents == 0 ? ""
                                                      : fmt::format(" after {} from before",
                                                                    counted(explanation.residents, "block")),
                           counted(explanation.allocations, "allocation"));
}

std::string recorded_on(const MemoryExplanation& explanation) {
  if (explanation.on_cpu) {
    return "recorded on a CPU, whose allocator has no cache and no settings. To simulate a GPU, add "
           "--capacity";
  }
  return fmt::format("settings: {}, card: {}",
                     explanation.settings.empty() ? "defaults" : explanation.settings,
                     explanation.capacity_bytes ? format_bytes(*explanation.capacity_bytes) +
                                                      (explanation.capacity_is_inferred ? " (inferred)" : "")
                                                : "size not recorded");
}

std::string verdict_sentence(const MemoryExplanation& explanation) {
  const auto& moment = explanation.moment;
  switch (explanation.verdict) {
    case MemoryVerdict::fragmented:
      return ran_out(explanation) +
             fmt::format(
                 " {}he tensors in use and the request fit {} together, but {} were stranded in split "
                 "segments, the largest free block had {}, and the driver had {} left.",
                 explanation.cause == MemoryCause::fragmentation ? "Memory is fragmented: t" : "T",
                 place(explanation), format_bytes(moment.stranded_bytes),
                 format_bytes(moment.largest_free_block_bytes), format_bytes(moment.device_free_bytes));
    case MemoryVerdict::too_much:
      return ran_out(explanation) + fmt::format(" The tensors in use and the request exceed {}{}.",
                                                place(explanation), whatever_the_settings(explanation));
    case MemoryVerdict::wasteful:
      return fmt::format(
                 "Memory did not run out, but of the {} that were reserved at the peak never more than {} "
                 "({}) were in use, {}.",
                 format_bytes(explanation.peak_reserved_bytes), format_bytes(explanation.peak_in_use_bytes),
                 percent(explanation.peak_in_use_bytes, explanation.peak_reserved_bytes),
                 at_moment(explanation)) +
             reserved_before(explanation);
    case MemoryVerdict::no_history:
      return fmt::format(
          "When the snapshot was taken {} were reserved, and {} ({}) of them were in use. "
          "Whether memory ran out or was wasted before is not recorded.",
          format_bytes(moment.reserved_bytes), format_bytes(moment.allocated_bytes),
          percent(moment.allocated_bytes, moment.reserved_bytes));
    case MemoryVerdict::sound:
      break;
  }
  if (explanation.on_cpu) {
    return fmt::format("At the peak, {}, tensors used {}.", at_moment(explanation),
                       format_bytes(moment.allocated_bytes));
  }
  return fmt::format(
      "Memory did not run out, and {} of the {} that were reserved at the peak were in use, {}.{}",
      percent(explanation.peak_in_use_bytes, explanation.peak_reserved_bytes),
      format_bytes(explanation.peak_reserved_bytes), at_moment(explanation),
      explanation.retries == 0
          ? ""
          : fmt::format(" But the card was full: {} found no memory, released the whole cache and waited for "
                        "the GPU, which costs time.",
                        counted(explanation.retries, "request")));
}

std::string cause_sentence(const MemoryExplanation& explanation) {
  if (explanation.cause == MemoryCause::fragmentation) {
    return "";  // the verdict already names fragmentation
  }
  if (explanation.cause == MemoryCause::none && explanation.imbalance) {
    return fmt::format("The work is split unevenly: {} had tensors {:.2f} times as large as those of {}.",
                       explanation.imbalance->most, explanation.imbalance->ratio,
                       explanation.imbalance->least);
  }
  return explanation.cause_text;
}

std::string cure_sentence(const MemoryExplanation& explanation) {
  if (explanation.on_cpu) {
    return "To use less memory, set smaller batches (--batch-atoms, --batch-size), or a smaller "
           "--memory-budget, which chooses them.";
  }
  if (explanation.verdict == MemoryVerdict::no_history) {
    return "Record the next run with its history to find the cause.";
  }
  if (explanation.baseline && !explanation.baseline->reproduces && explanation.cures.empty() &&
      explanation.verdict != MemoryVerdict::sound) {
    std::string text = fmt::format(
        "No change is proposed, because a simulation cannot be compared with this "
        "recording: {}.",
        explanation.baseline->reason);
    if (explanation.extrapolation) {
      text += " " + extrapolation_sentence(*explanation.extrapolation);
    }
    return text;
  }
  if (explanation.verdict == MemoryVerdict::sound && explanation.cures.empty()) {
    return explanation.imbalance
               ? "This one needs no change. With inputs of equal size, all of them could use larger batches."
           : explanation.retries > 0 ? "A smaller batch would leave room."
           : explanation.leaks.empty()
               ? "Memory is used well. No change is needed."
               : "The recorded part fits, but the memory that every iteration keeps adds up: see below.";
  }
  const bool has_cure = !explanation.cures.empty() && explanation.cures.front().is_cure;
  std::string text;
  if (has_cure) {
    const auto& best = explanation.cures.front();
    text = best.tried_to_the_end ? fmt::format("Fix, verified by simulation: {}: {}{}.", best.change,
                                               outcome_of(best), compared_with_baseline(explanation))
                                 : fmt::format(
                                       "With {}, the request that failed would have fitted. The recording "
                                       "ends there, so later requests are not known.",
                                       best.change);
  } else if (!explanation.cures.empty()) {
    text = explanation.verdict == MemoryVerdict::sound
               ? "None of the simulated changes avoids them. A smaller batch would leave room."
           : explanation.verdict == MemoryVerdict::wasteful
               ? "None of the simulated allocator settings reliably lowers the reserved memory by 5 %."
               : "None of the simulated changes is a reliable fix.";
  }
  if (explanation.extrapolation) {
    text += (text.empty() ? "" : " ") + extrapolation_sentence(*explanation.extrapolation);
  }
  return text.empty() ? "No change was simulated." : text;
}

std::string outcome_of(const MemoryCure& cure) {
  if (cure.run_out_event) {
    return fmt::format("runs out at event {}", *cure.run_out_event);
  }
  const char* const fits = !cure.tried_to_the_end ? "the request that failed passes, "
                           : cure.is_on_a_card    ? "fits, "
                                                  : "";
  return fmt::format("{}{} reserved at most, {}{}", fits, format_bytes(cure.peak_reserved_bytes),
                     retries(cure.retries), cure.doubt.empty() ? "" : ". No cure: " + cure.doubt);
}

std::string role_of(const MemoryHolder& holder) {
  return holder.role == MemoryRole::unknown
             ? "role unknown"
             : fmt::format("{}{}", holder.certainty == RoleCertainty::certain ? "" : "likely ",
                           name_of(holder.role));
}

std::string explanation_text(const MemoryExplanation& explanation) {
  std::string text = header(explanation) + "\n" + verdict_sentence(explanation) + "\n";
  if (const std::string cause = cause_sentence(explanation); !cause.empty()) {
    text += cause + "\n";
  }
  return text + cure_sentence(explanation) + "\n" + holders(explanation) + kept_from_before(explanation) +
         leaks(explanation) + savings(explanation) + stretches(explanation) + cures(explanation) +
         margins(explanation);
}

}  // namespace molgauge::allocator
