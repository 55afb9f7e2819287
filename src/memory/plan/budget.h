#pragma once

#include <cstdint>
#include <string>

namespace headroom::memory {

/// The value of an option such as --memory-budget in bytes: "20GiB" as it is, "80%" as a share of `free`,
/// empty as 95 % of `free` (the system and other programs will take some memory, too). Throws UsageError
/// naming `option` on any other text, and on a budget of 0 bytes.
std::uint64_t parse_budget(const std::string& option, const std::string& text, std::uint64_t free);

/// The bytes that this process could have in all: its resident memory and what the machine, its control
/// group, or the limits of the process (ulimit -v, ulimit -d) have left.
std::uint64_t free_for_this_process();

/// "700 MiB" and the like, rounded up to whole MiB, so that it is never too small as a budget.
std::string budget_to_type(std::uint64_t bytes);

}  // namespace headroom::memory
