#pragma once

#include <cstdint>
#include <string>

namespace headroom::memory {

/// What an option such as --memory-budget means, in bytes: "20GiB" that, "80%" that share of `free`, empty 95
/// % of it (what the system and other programs take next must not cost us our life). Throws UsageError naming
/// `option` on anything else, and on a budget of nothing.
std::uint64_t parse_budget(const std::string& option, const std::string& text, std::uint64_t free);

/// What this process could have in all: what is resident and what the machine, its control group, or the
/// limits of the process (ulimit -v, ulimit -d) have left.
std::uint64_t free_for_this_process();

/// "700 MiB" and the like, rounded up to whole MiB: as a budget to type it is never too small.
std::string budget_to_type(std::uint64_t bytes);

}  // namespace headroom::memory
