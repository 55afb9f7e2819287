#include "pockets/topology/neighbours.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/core/error.h"

namespace molgauge::pocket {
namespace {

constexpr double kFarthest = 1e6, kNarrowestCell = 1.0;
constexpr std::size_t kMaxPairs = 100'000'000;
/// Number of bits of the cell index along an axis. This is sufficient for 2 * 10^6 cells.
constexpr int kBits = 21;

/// Cells in the order of their keys. The atoms of a cell are consecutive.
class CellList {
 public:
  CellList(const std::vector<Position>& positions, double width) : width_(std::max(width, kNarrowestCell)) {
    atoms_.reserve(positions.size());
    for (std::size_t atom = 0; atom < positions.size(); ++atom) {
      atoms_.push_back({key(cell_of(positions[atom])), static_cast<std::int64_t>(atom)});
    }
    std::sort(atoms_.begin(), atoms_.end());
  }

  /// Calls visit(atom) for the atoms of the 27 cells around a position.
  void for_near(const Position& position, const auto& visit) const {
    const auto centre = cell_of(position);
    for (std::int64_t x = centre[0] - 1; x <= centre[0] + 1; ++x) {
      for (std::int64_t y = centre[1] - 1; y <= centre[1] + 1; ++y) {
        // The keys of three neighbouring cells along z are consecutive.
        const Entry from{key({x, y, centre[2] - 1}), 0}, to{key({x, y, centre[2] + 1}) + 1, 0};
        for (auto it = std::lower_bound(atoms_.begin(), atoms_.end(), from); it != atoms_.end() && *it < to;
             ++it) {
          visit(it->atom);
        }
      }
    }
  }

 private:
  struct Entry {
    std::uint64_t key;
    std::int64_t atom;
    auto operator<=>(const Entry&) const = default;
  };

  /// Cells are counted from 1, because the neighbours of the first cell also need an index.
  std::array<std::int64_t, 3> cell_of(const Position& position) const {
    std::array<std::int64_t, 3> cell;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      cell[axis] = static_cast<std::int64_t>(std::floor((position[axis] + kFarthest) / width_)) + 1;
    }
    return cell;
  }

  static std::uint64_t key(const std::array<std::int64_t, 3>& cell) {
    std::uint64_t key = 0;
    for (const std::int64_t place : cell) {
      key = key << kBits | static_cast<std::uint64_t>(place);
    }
    return key;
  }

  double width_;
  std::vector<Entry> atoms_;
};

double distance_of(const Position& one, const Position& other) {
  return std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]);
}

void require_near(const std::vector<Position>& positions) {
  for (std::size_t atom = 0; atom < positions.size(); ++atom) {
    for (const double number : positions[atom]) {
      if (!std::isfinite(number) || std::abs(number) >= kFarthest) {
        throw InputError(fmt::format("atom {} has the coordinate {}", atom + 1, number));
      }
    }
  }
}

/// Throws at the first pair of atoms that are too close. A cell without such a pair has at most about a
/// thousand atoms, so the search is fast even for damaged files.
void require_apart(const std::vector<Position>& positions, double on_top) {
  if (on_top <= 0) {
    return;
  }
  const CellList cells(positions, on_top);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto first = static_cast<std::int64_t>(i);
    cells.for_near(positions[i], [&](std::int64_t second) {
      if (second <= first) {
        return;
      }
      const double distance = distance_of(positions[i], positions[static_cast<std::size_t>(second)]);
      if (distance < on_top) {
        throw InputError(
            fmt::format("atoms {} and {} overlap, they are {:.3f} A apart", first + 1, second + 1, distance));
      }
    });
  }
}

}  // namespace

std::vector<Neighbours> find_neighbours(const std::vector<Position>& positions, double cutoff,
                                        double on_top) {
  require_near(positions);
  require_apart(positions, on_top);
  const CellList cells(positions, cutoff);
  std::vector<Neighbours> found;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto first = static_cast<std::int64_t>(i);
    const std::size_t begin = found.size();
    cells.for_near(positions[i], [&](std::int64_t second) {
      if (second <= first) {
        return;
      }
      const double distance = distance_of(positions[i], positions[static_cast<std::size_t>(second)]);
      if (distance <= cutoff) {
        found.push_back({first, second, distance});
      }
    });
    if (found.size() > kMaxPairs) {
      throw InputError(fmt::format("more than {} pairs of atoms are at most {} A apart", kMaxPairs, cutoff));
    }
    std::sort(found.begin() + static_cast<std::ptrdiff_t>(begin), found.end(),
              [](const Neighbours& a, const Neighbours& b) { return a.second < b.second; });
  }
  return found;
}

}  // namespace molgauge::pocket
