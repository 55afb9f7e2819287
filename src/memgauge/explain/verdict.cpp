#include "memgauge/explain/verdict.h"

#include <algorithm>

#include "memgauge/simulator/rounding.h"

namespace molgauge::allocator {
namespace {

/// A run that fits is wasteful if more than this share of its reserved memory is idle. A small idle share is
/// normal, because the ends of segments are idle in any program.
constexpr double kWasteful = 0.2;

double share_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

MemoryMargin margin(const char* figure, double value, double threshold) {
  return {figure, value, threshold, value > threshold};
}

}  // namespace

Judgement judge_failure(const Subject& subject, const ExplainedMoment& explained,
                        const std::vector<MemoryOfPool>& pools) {
  const MemoryRunOut& moment = explained.moment;
  const std::uint64_t needed =
      moment.allocated_bytes + round_request(moment.requested_bytes, subject.setup.settings);
  std::uint64_t idle_in_pools = 0;  // only requests of the same private pool can use this memory
  for (const auto& pool : pools) {
    idle_in_pools += pool.reserved_bytes - std::min(pool.reserved_bytes, pool.in_use_bytes);
  }
  const std::uint64_t allowed = subject.allowed();
  const std::uint64_t room = explained.failed_in_fact
                                 ? std::min(allowed, moment.reserved_bytes + moment.device_free_bytes)
                                 : allowed;
  return {
      .verdict = needed + idle_in_pools <= room ? MemoryVerdict::fragmented : MemoryVerdict::too_much,
      .margins = {margin("memory in use and the request, as a share of the memory that the process may use",
                         share_of(needed + idle_in_pools, room), 1)}};
}

Judgement judge_peaks(std::uint64_t reserved, std::uint64_t in_use) {
  const double idle = share_of(reserved - std::min(reserved, in_use), reserved);
  return {.verdict = idle > kWasteful ? MemoryVerdict::wasteful : MemoryVerdict::sound,
          .margins = {margin("reserved memory that was never in use, as a share of the peak reserved memory",
                             idle, kWasteful)}};
}

bool ran_out(MemoryVerdict verdict) {
  return verdict == MemoryVerdict::fragmented || verdict == MemoryVerdict::too_much;
}

}  // namespace molgauge::allocator
