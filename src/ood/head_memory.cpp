#include "ood/head_memory.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/bytes.h"

namespace headroom::ood {
namespace {

constexpr std::uint64_t kFloat = sizeof(float);

// In numbers a row, h the hidden width; the second layer is half as wide as the first.
/// Both layers before and after the activation.
std::uint64_t forward_numbers(std::int64_t hidden) { return 3 * static_cast<std::uint64_t>(hidden); }
/// Both activations, with dropout and without, and their gradients on the way back.
std::uint64_t activation_numbers(std::int64_t hidden) { return 5 * static_cast<std::uint64_t>(hidden); }
std::uint64_t mask_numbers(std::int64_t hidden) { return static_cast<std::uint64_t>(hidden) * 3 / 2; }

std::int64_t rows_of_a_shard(std::int64_t rows, at::Device device) {
  const std::int64_t shards = shard_count(rows, device);
  return (rows + shards - 1) / shards;
}

}  // namespace

PassMemory::PassMemory(const EnergyHead& head, std::int64_t batch_rows, std::size_t thread_count)
    : width(head.feature_width()),
      hidden(head.hidden_width()),
      rows(batch_rows),
      device(head.parameters()[0].value.device()),
      threads(std::max<std::size_t>(1, thread_count)) {}

std::int64_t PassMemory::shard_rows() const { return rows_of_a_shard(rows, device); }

std::uint64_t PassMemory::scoring_bytes(std::size_t units) const {
  return kFloat * (static_cast<std::uint64_t>(rows * width) + units * forward_numbers(hidden));
}

std::uint64_t PassMemory::training_bytes(std::size_t units) const {
  const auto all = static_cast<std::uint64_t>(rows);
  const std::uint64_t data = all * (static_cast<std::uint64_t>(width) + mask_numbers(hidden));
  const bool kept = units >= all;
  // Activations that are computed again are those of as many shards as there are threads, whatever is
  // allowed.
  const std::uint64_t side_by_side =
      kept ? all : std::min<std::uint64_t>(units, threads * static_cast<std::uint64_t>(shard_rows()));
  return kFloat * (data + side_by_side * activation_numbers(hidden));
}

memory::Workload PassMemory::scoring() const {
  memory::Workload workload;
  workload.name = "scoring";
  workload.unit = "rows";
  workload.smallest = static_cast<std::size_t>(shard_rows());
  workload.planned = std::min(static_cast<std::size_t>(rows), threads * workload.smallest);
  workload.projected_bytes = [sizes = *this](std::size_t units) { return sizes.scoring_bytes(units); };
  workload.largest_contributor = [sizes = *this](std::size_t) {
    return fmt::format("{} of features of a batch of {} rows",
                       format_bytes(kFloat * static_cast<std::uint64_t>(sizes.rows * sizes.width)),
                       sizes.rows);
  };
  return workload;
}

memory::Workload PassMemory::training() const {
  memory::Workload workload;
  workload.name = "training";
  workload.unit = "rows";
  workload.smallest = static_cast<std::size_t>(shard_rows());
  workload.planned = static_cast<std::size_t>(rows);
  workload.projected_bytes = [sizes = *this](std::size_t units) { return sizes.training_bytes(units); };
  workload.largest_contributor = [sizes = *this](std::size_t units) {
    const std::uint64_t activations = kFloat * units * activation_numbers(sizes.hidden);
    const std::uint64_t data = kFloat * static_cast<std::uint64_t>(sizes.rows) *
                               (static_cast<std::uint64_t>(sizes.width) + mask_numbers(sizes.hidden));
    return activations > data
               ? fmt::format("{} of activations of {} rows", format_bytes(activations), units)
               : fmt::format(
                     "{} of features and dropout masks of a batch of {} rows (a smaller --batch-size "
                     "takes less)",
                     format_bytes(data), sizes.rows);
  };
  return workload;
}

void within_memory(memory::Recovery& recovery, std::int64_t rows, at::Device device, PassPlan plan,
                   const std::function<void(const PassPlan&)>& work) {
  const auto all = static_cast<std::size_t>(rows);
  const auto shard = static_cast<std::size_t>(rows_of_a_shard(rows, device));
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

}  // namespace headroom::ood
