#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/memory/measure/allocation_meter.h"
#include "base/memory/plan/step_model.h"
#include "base/memory/plan/step_projection.h"

namespace molgauge::memory {

/// Measures steps of a model on a meter within a budget, and makes projections from the measurements.
///
/// Use it from one thread, while no other thread allocates memory that the meter counts.
class StepProber {
 public:
  /// `outside_bytes`: bytes on the meter that do not belong to the budget. `items`: the item sizes of the
  /// work, at least one unless the model has probe items. `whole_batch`: number of items in a batch, if
  /// batches cannot be cut. Model and meter must outlive the prober.
  StepProber(StepModel& model, AllocationMeter& meter, std::uint64_t outside_bytes,
             std::uint64_t budget_bytes, std::span<const ItemSize> items,
             std::optional<std::size_t> whole_batch = {});

  /// Measures steps with these settings. If the formulas explain every size, later calls reuse the
  /// measurement. Returns nothing if not even a step with a single small item fits the budget.
  std::optional<StepProjection> project(const StepSettings& settings);
  /// Runs a step with this batch, if `projection` is only estimated from probes. Corrects the projection by
  /// the measured peak. Returns true if the projection changed.
  bool confirm(std::span<const ItemSize> batch, const StepSettings& settings, StepProjection& projection);

  /// Allows probes to exceed the budget, to find a sufficient budget if nothing fits. Probing then stops at
  /// steps of more than 192 MiB, or of more than half of the free memory of the machine.
  void lift_limit() { is_limited_ = false; }

  /// Seconds for each unit of StepModel::relative_time(), from the largest probe.
  double seconds_a_unit() const { return seconds_a_unit_; }
  std::size_t probes() const { return probes_; }

 private:
  std::optional<StepProjection> measure(const StepSettings& settings);
  std::optional<ProbedStep> probe(std::span<const ItemSize> batch, const StepSettings& settings);
  std::uint64_t named_resident_bytes(const StepSettings& settings) const;
  std::vector<ItemSize> at_quantiles(std::span<const double> quantiles) const;
  std::vector<ProbedStep> probe_small(const StepSettings& settings);
  std::vector<ProbedStep> probe_ladder(const StepSettings& settings);
  std::size_t most_items() const;
  /// The largest possible batch.
  std::span<const ItemSize> largest_batch() const;
  void climb(const StepSettings& settings, const std::function<std::span<const ItemSize>(std::size_t)>& first,
             std::vector<ProbedStep>& probed);

  StepModel& model_;
  AllocationMeter& meter_;
  std::uint64_t outside_bytes_, budget_bytes_;
  std::vector<ItemSize> smallest_first_, largest_first_;
  std::optional<std::size_t> whole_batch_;
  std::vector<std::pair<StepSettings, std::vector<ProbedStep>>> ladders_;
  std::vector<std::pair<StepSettings, StepProjection>> exact_;
  bool is_limited_ = true;
  std::size_t probes_ = 0;
  double seconds_a_unit_ = 0;
  std::uint64_t timed_peak_ = 0;
};

}  // namespace molgauge::memory
