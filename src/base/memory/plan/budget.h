#pragma once

#include <cstdint>
#include <string>

namespace molgauge::memory {

/// Parses an option such as --memory-budget into bytes: "20GiB", or "80%" as a share of `free`. An empty text
/// is 95 % of `free`, because the system and other programs take some memory as well. For another text or for
/// 0 bytes, throws UsageError that names `option`.
std::uint64_t parse_budget(const std::string& option, const std::string& text, std::uint64_t free);

/// The total bytes that this process could use. They are its resident memory plus the memory that is left
/// within the limits of the machine, the control group and the process (ulimit -v, ulimit -d).
std::uint64_t free_for_this_process();

/// Formats a budget for a command line, for example "700 MiB". Rounds up to whole MiB, so the budget is never
/// too small.
std::string budget_to_type(std::uint64_t bytes);

}  // namespace molgauge::memory
