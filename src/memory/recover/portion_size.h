#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace headroom::memory {

/// Bytes at the peak of work on this many units at once. Monotone; it need not be exact, because it is scaled
/// by measurements.
using ProjectedBytes = std::function<std::uint64_t(std::size_t units)>;

/// What is known about a shortage of memory.
struct Shortage {
  std::size_t portions = 1;     ///< portions that ran side by side
  std::uint64_t projected = 0;  ///< bytes of all of them by the model
  std::uint64_t needed = 0;     ///< lower bound of their bytes; 0: not known
  std::uint64_t room = 0;       ///< bytes available to them altogether; 0: not known
};

/// How many units (atoms, rows) to work on at once: the planned number, fewer after a shortage, and
/// cautiously more again after enough successful portions. Not thread-safe.
///
/// A shortage shrinks the size to the largest that fits the room by the model. If the model projected that
/// the work fits, its bytes are first scaled to the needed bytes, and further with every consecutive
/// shortage. A refusal shows only the bytes needed up to that point, not the bytes of the whole portion.
class PortionSize {
 public:
  /// `smallest` <= `planned`, both at least 1. Without a model bytes grow with units.
  PortionSize(std::size_t planned, std::size_t smallest, ProjectedBytes projected);

  std::size_t planned() const { return planned_; }
  std::size_t smallest() const { return smallest_; }
  std::size_t now() const { return now_; }
  /// The model's bytes, without the scale.
  std::uint64_t projected_bytes(std::size_t units) const { return projected_(units); }

  /// A portion of `units` ran out of memory. The size is then below `units`, unless that was the smallest.
  void shrink(std::size_t units, const Shortage& shortage);
  /// A portion of `units` succeeded.
  void succeeded(std::size_t units);

 private:
  double adjust_scale(const Shortage& shortage);
  std::size_t largest_that_fits(std::size_t below, double bytes) const;

  std::size_t planned_, smallest_, now_;
  ProjectedBytes projected_;
  double scale_ = 1;           ///< factor of the model's bytes
  std::size_t in_a_row_ = 0;   ///< shortages without a success in between
  std::size_t successes_ = 0;  ///< successes since the size changed
  std::size_t patience_;       ///< successes before it grows
  bool has_grown_ = false;     ///< whether the size has grown since the last shortage
};

}  // namespace headroom::memory
