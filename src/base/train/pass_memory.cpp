#include "base/train/pass_memory.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/core/text/bytes.h"

namespace molgauge::train {
namespace {

std::int64_t rows_of_a_shard(std::int64_t rows, at::Device device, std::int64_t least_rows) {
  const std::int64_t shards = shard_count(rows, device, least_rows);
  return (rows + shards - 1) / shards;
}

}  // namespace

std::size_t PassRows::shard_rows() const {
  return static_cast<std::size_t>(rows_of_a_shard(rows, device, least_rows));
}

memory::Workload PassRows::workload(const char* name) const {
  memory::Workload workload;
  workload.name = name;
  workload.unit = "rows";
  workload.smallest = shard_rows();
  workload.planned = static_cast<std::size_t>(rows);
  workload.largest_contributor = [sizes = *this](std::size_t units) {
    const auto bytes = static_cast<std::uint64_t>(sizes.rows * sizes.width) * sizeof(float);
    return fmt::format(
        "{} of features of a batch of {} rows (a smaller batch size takes less), and the activations of {} "
        "rows",
        format_bytes(bytes), sizes.rows, units);
  };
  return workload;
}

memory::Workload PassRows::scoring() const {
  memory::Workload scoring = workload("scoring");
  scoring.planned = std::min(scoring.planned, std::max<std::size_t>(1, threads) * scoring.smallest);
  return scoring;
}

memory::Workload PassRows::training() const { return workload("training"); }

void with_budget_errors(memory::Recovery& recovery, std::int64_t rows, at::Device device, PassPlan plan,
                        const std::function<void(const PassPlan&)>& work) {
  const auto all = static_cast<std::size_t>(rows);
  const auto shard = static_cast<std::size_t>(rows_of_a_shard(rows, device, plan.least_rows));
  const bool may_keep = plan.keep_activations;
  for (;;) {
    const std::size_t units = std::min(all, recovery.at_once());
    plan.keep_activations = may_keep && units == all;
    plan.shards_at_once = static_cast<std::int64_t>(std::max<std::size_t>(1, units / shard));
    const auto divisible =
        all > shard && units > shard ? memory::Recovery::Divisible::yes : memory::Recovery::Divisible::no;
    if (recovery.attempt(units, divisible, [&] { work(plan); })) {
      return;
    }
  }
}

}  // namespace molgauge::train
