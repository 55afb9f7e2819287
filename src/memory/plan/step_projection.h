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

/// The result of a probe of a step.
struct ProbedStep {
  Cost cost;
  std::uint64_t resident_bytes = 0;  ///< bytes that were live when the step began
  std::uint64_t peak_bytes = 0;      ///< peak, resident bytes included
  double seconds = 0;
  std::vector<TapeEvent> events;
};

/// The peak memory of a step as a function of the cost of its batch: the maximum over a number of moments,
/// each a sum of linear formulas.
///
/// Two probes of a program that does the same for every batch give tapes that differ only in sizes. Each
/// tensor's size is explained by a formula of one to three terms (tokens x 1,344 bytes, say); the sums of
/// the memory that is live after every allocation then give the peak of any batch, exactly, however far it is
/// from the probed ones, and whichever moment of the step has the peak.
class StepProjection {
 public:
  /// Makes a projection from the tapes of 3 or more different batches. None if their events do not match.
  static std::optional<StepProjection> from_tapes(std::span<const ProbedStep> probes);
  /// Makes a projection of one moment, fitted to the peaks and at least as high as each of them.
  static StepProjection from_peaks(std::span<const ProbedStep> probes);

  /// Bytes at the peak, resident bytes included.
  std::uint64_t peak_bytes(const Cost& cost) const;
  /// The bytes at the peak by contributor; resident bytes as `kept`.
  std::array<std::uint64_t, kContributors> held_bytes(const Cost& cost) const;
  /// Corrects the resident bytes where more is live at the beginning of a step than a probe found.
  void raise_resident_to(std::uint64_t bytes) { resident_bytes_ = std::max(resident_bytes_, bytes); }
  std::uint64_t resident_bytes() const { return resident_bytes_; }

  /// Whether every size was explained: then the projection holds for all batches.
  bool is_exact() const { return is_exact_; }

  /// Corrects a projection that was too low: raises all but the resident bytes in proportion.
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
