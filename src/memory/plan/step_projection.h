#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "memory/plan/cost.h"
#include "memory/plan/cost_formula.h"
#include "memory/plan/step_model.h"
#include "memory/plan/step_tape.h"

namespace headroom::memory {

/// What a probe of a step found.
struct ProbedStep {
  Cost cost;
  std::uint64_t resident_bytes = 0;  ///< lived when the step began
  std::uint64_t peak_bytes = 0;      ///< at the highest, what was resident included
  double seconds = 0;
  std::vector<TapeEvent> events;
};

/// The peak memory of a step as a function of what its batch holds: the highest of a number of moments, each
/// a sum of linear formulas.
///
/// Two probes of a program that does the same whatever the batch give tapes that differ in sizes alone. Each
/// tensor's size is explained by a formula of one to three terms (tokens x 1,344 bytes, say); the sums of
/// what lives after every allocation then give the peak of any batch, exactly, however far it lies from those
/// probed, and whichever moment of the step is the highest then.
class StepProjection {
 public:
  /// From tapes of at least 3 batches that differ. Nothing if they do not match event by event.
  static std::optional<StepProjection> from_tapes(std::span<const ProbedStep> probes);
  /// One moment, fitted to the peaks and below none of them.
  static StepProjection from_peaks(std::span<const ProbedStep> probes);

  /// Bytes at the highest, what is resident included.
  std::uint64_t peak_bytes(const Cost& cost) const;
  /// Who holds them then, by contributor; resident bytes as `kept`.
  std::array<std::uint64_t, kContributors> held_bytes(const Cost& cost) const;
  /// More lives when a step begins than a probe has found.
  void raise_resident_to(std::uint64_t bytes) { resident_bytes_ = std::max(resident_bytes_, bytes); }
  std::uint64_t resident_bytes() const { return resident_bytes_; }

  /// Every size was explained: the projection holds for all batches.
  bool is_exact() const { return is_exact_; }

  /// Reality was higher than projected: raises all that is not resident in proportion.
  void raise_to(const Cost& cost, std::uint64_t peak_bytes);

 private:
  struct Moment {
    CostFormula total;
    std::array<CostFormula, kContributors> by;
  };
  const Moment& highest(const Cost& cost) const;
  void drop_dominated();

  std::vector<Moment> moments_;
  std::uint64_t resident_bytes_ = 0;
  bool is_exact_ = false;
  double raise_ = 1;
};

}  // namespace headroom::memory
