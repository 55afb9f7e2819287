#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace headroom::memory {

/// Bytes at the peak of work on so many units at once. Monotone; need not be right, it is scaled by what is
/// seen.
using ProjectedBytes = std::function<std::uint64_t(std::size_t units)>;

/// Memory that ran out, as far as it was seen.
struct Shortage {
  std::size_t portions = 1;     ///< worked on side by side
  std::uint64_t projected = 0;  ///< bytes, of all of them by the model
  std::uint64_t needed = 0;     ///< bytes they would have had at least; 0: not known
  std::uint64_t room = 0;       ///< bytes there are for them altogether; 0: not known
};

/// How many units (atoms, rows) to work on at once: as planned, less after a shortage, and cautiously more
/// again after enough portions that went well. Not thread-safe.
///
/// A shortage shrinks the size to the largest that the model says fits into the room. Where the model had
/// said that the work fits, its bytes are scaled first to what was needed, and somewhat more with every
/// shortage in a row: a refusal shows how much was needed up to there, not how much would have been.
class PortionSize {
 public:
  /// `smallest` <= `planned`, both at least 1. Without a model bytes grow with units.
  PortionSize(std::size_t planned, std::size_t smallest, ProjectedBytes projected);

  std::size_t planned() const { return planned_; }
  std::size_t smallest() const { return smallest_; }
  std::size_t now() const { return now_; }
  /// Unscaled.
  std::uint64_t projected_bytes(std::size_t units) const { return projected_(units); }

  /// A portion of `units` ran out of memory. The size is then below `units`, unless that was the smallest.
  void shrink(std::size_t units, const Shortage& shortage);
  /// A portion of `units` went well.
  void succeeded(std::size_t units);

 private:
  double adjust_scale(const Shortage& shortage);
  std::size_t largest_that_fits(std::size_t below, double bytes) const;

  std::size_t planned_, smallest_, now_;
  ProjectedBytes projected_;
  double scale_ = 1;           ///< of the model's bytes
  std::size_t in_a_row_ = 0;   ///< shortages without a success in between
  std::size_t successes_ = 0;  ///< since the size changed
  std::size_t patience_;       ///< successes before it grows
  bool has_grown_ = false;     ///< since the last shortage
};

}  // namespace headroom::memory
