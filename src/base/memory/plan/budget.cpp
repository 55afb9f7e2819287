#include "base/memory/plan/budget.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/process_limits.h"
#include "base/core/text/bytes.h"
#include "base/memory/measure/host_memory.h"
#include "base/memory/measure/machine_memory.h"

namespace molgauge::memory {
namespace {

constexpr double kDefaultShare = 0.95;
constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

std::uint64_t share_of(std::uint64_t bytes, double share) {
  return static_cast<std::uint64_t>(static_cast<double>(bytes) * share);
}

double parse_percentage(const std::string& option, const std::string& text) {
  const char* const end = text.data() + text.size() - 1;
  double percentage = 0;
  const auto [stop, failure] = std::from_chars(text.data(), end, percentage);
  if (failure != std::errc() || stop != end || !(percentage > 0 && percentage <= 100)) {
    throw UsageError(
        fmt::format("{} {}: a share of the free memory must be above 0% and at most 100%", option, text));
  }
  return percentage / 100;
}

}  // namespace

std::uint64_t parse_budget(const std::string& option, const std::string& text, std::uint64_t free) {
  if (text.empty()) {
    return share_of(free, kDefaultShare);
  }
  if (text.ends_with('%')) {
    return share_of(free, parse_percentage(option, text));
  }
  std::uint64_t bytes = 0;
  try {
    bytes = parse_bytes(text);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}, or a share of the free memory such as 80%", option, error.what()));
  }
  if (bytes == 0) {
    throw UsageError(option + " 0: must be above 0");
  }
  return bytes;
}

std::uint64_t free_for_this_process() {
  const std::uint64_t available = machine_memory().available;
  return resident_bytes() + std::min(available, address_space_left().value_or(available));
}

std::string budget_to_type(std::uint64_t bytes) {
  return fmt::format("{}MiB", (bytes + kMebibyte - 1) / kMebibyte);
}

}  // namespace molgauge::memory
