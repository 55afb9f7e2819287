#pragma once

#include <algorithm>
#include <cstdint>
#include <regex>
#include <string>

#include "command.h"
#include "support/instrumented.h"

namespace molgauge::test {

inline constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

/// The factor by which the resident memory of a process may exceed its budget.
inline constexpr double kBudgetTolerance = 1.02;

/// Returns the smallest sufficient budget that the message names, in MiB, or 0 if it names none.
inline std::uint64_t named_budget(const std::string& message) {
  std::smatch found;
  const std::regex pattern("smallest sufficient budget is --memory-budget ([0-9]+)MiB");
  return std::regex_search(message, found, pattern) ? std::stoull(found[1].str()) : 0;
}

/// Returns the highest resident memory of a command. A command resets the peak counter of Linux when it
/// starts to measure a phase. The function therefore also reads the printed peaks of phases.
inline std::uint64_t highest_bytes(const Outcome& outcome) {
  std::uint64_t highest = outcome.peak_resident_bytes;
  const std::regex pattern("peak memory ([0-9.]+) MiB");
  for (std::sregex_iterator found(outcome.err.begin(), outcome.err.end(), pattern), end; found != end;
       ++found) {
    highest = std::max(highest, static_cast<std::uint64_t>(std::stod((*found)[1].str()) * kMebibyte));
  }
  return highest;
}

inline std::string mebibytes(std::uint64_t count) { return std::to_string(count) + "MiB"; }

}  // namespace molgauge::test
