#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace molgauge::memory {

/// Returns the projected peak bytes of work on this number of units at once. The function must be monotone.
/// It need not be exact, because measurements correct its scale.
using ProjectedBytes = std::function<std::uint64_t(std::size_t units)>;

/// The known facts about a shortage of memory.
struct Shortage {
  std::size_t portions = 1;     ///< portions that ran in parallel
  std::uint64_t projected = 0;  ///< projected bytes of all portions together
  std::uint64_t needed = 0;     ///< lower bound of the bytes of all portions together, or 0 if unknown
  std::uint64_t room = 0;       ///< bytes available to all portions together, or 0 if unknown
};

/// The number of units (atoms, rows) to process at once: first the planned number, fewer after a shortage,
/// and gradually more after enough successes. Not thread-safe.
///
/// After a shortage, the size shrinks until the projected bytes fit the available bytes. If the projection
/// had predicted that the work fits, it is first scaled up to the needed bytes. This is repeated after each
/// consecutive shortage, because a refused request shows only the bytes that were needed up to that moment.
class PortionSize {
 public:
  /// 1 <= `smallest` <= `planned`. If `projected` is empty, bytes are proportional to units.
  PortionSize(std::size_t planned, std::size_t smallest, ProjectedBytes projected);

  std::size_t planned() const { return planned_; }
  std::size_t smallest() const { return smallest_; }
  std::size_t now() const { return now_; }
  /// The projected bytes, without the correction by measurements.
  std::uint64_t projected_bytes(std::size_t units) const { return projected_(units); }

  /// Call it if a portion of `units` ran out of memory. The size is then below `units`, unless `units` was
  /// the smallest size.
  void shrink(std::size_t units, const Shortage& shortage);
  /// Call it if a portion of `units` succeeded.
  void succeeded(std::size_t units);

 private:
  double adjust_scale(const Shortage& shortage);
  std::size_t largest_that_fits(std::size_t below, double bytes) const;

  std::size_t planned_, smallest_, now_;
  ProjectedBytes projected_;
  double scale_ = 1;           ///< correction factor of the projected bytes
  std::size_t in_a_row_ = 0;   ///< consecutive shortages
  std::size_t successes_ = 0;  ///< successes since the size changed
  std::size_t patience_;       ///< successes before the size grows
  bool has_grown_ = false;     ///< whether the size has grown since the last shortage
};

}  // namespace molgauge::memory
