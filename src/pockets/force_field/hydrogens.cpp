#include "pockets/force_field/hydrogens.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "base/core/error.h"

namespace molgauge::pocket {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kShort = 1e-6;

Position operator+(const Position& a, const Position& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Position operator-(const Position& a, const Position& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Position operator*(double factor, const Position& a) { return {factor * a[0], factor * a[1], factor * a[2]}; }
double dot(const Position& a, const Position& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Position cross(const Position& a, const Position& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Returns any direction at a right angle to a unit vector.
Position perpendicular(const Position& unit) {
  const Position axis = std::abs(unit[0]) < 0.9 ? Position{1, 0, 0} : Position{0, 1, 0};
  const Position other = axis - dot(axis, unit) * unit;
  return (1 / std::sqrt(dot(other, other))) * other;
}

/// Returns the direction of a vector, or `otherwise` if the vector has no direction.
Position unit_of(const Position& vector, const Position& otherwise) {
  const double length = std::sqrt(dot(vector, vector));
  return length < kShort ? otherwise : (1 / length) * vector;
}

class Placer {
 public:
  Placer(std::vector<std::optional<Position>> known, const HydrogenFrame& frame)
      : places_(std::move(known)), frame_(frame) {}

  std::vector<Position> place() {
    for (std::int64_t atom = 0; atom < static_cast<std::int64_t>(places_.size()); ++atom) {
      if (places_[index(atom)]) {
        place_around(atom);
      }
    }
    std::vector<Position> placed;
    for (std::int64_t atom = 0; atom < static_cast<std::int64_t>(places_.size()); ++atom) {
      if (!places_[index(atom)]) {
        throw InputError("no position found for the hydrogen " + frame_.name(atom));
      }
      placed.push_back(*places_[index(atom)]);
    }
    return placed;
  }

 private:
  static std::size_t index(std::int64_t atom) { return static_cast<std::size_t>(atom); }
  const Position& at(std::int64_t atom) const { return *places_[index(atom)]; }

  void place_around(std::int64_t centre) {
    std::vector<std::int64_t> placed, missing;
    for (const std::int64_t neighbour : frame_.bonded[index(centre)]) {
      (places_[index(neighbour)] ? placed : missing).push_back(neighbour);
    }
    if (missing.empty()) {
      return;
    }
    const std::size_t bonds = placed.size() + missing.size();
    if (placed.size() + 1 == bonds && placed.size() >= 2) {
      put(missing[0], centre, away_from(centre, placed));
    } else if (bonds == 4 && placed.size() == 2) {
      put_two(centre, placed, missing);
    } else if (placed.size() == 1 && bonds >= 2 && bonds <= 4) {
      put_by_turns(centre, placed[0], missing, bonds);
    } else {
      throw InputError("no position found for the hydrogens of " + frame_.name(centre));
    }
  }

  void put(std::int64_t hydrogen, std::int64_t centre, const Position& direction) {
    places_[index(hydrogen)] = at(centre) + frame_.length(centre, hydrogen) * direction;
  }

  Position direction(std::int64_t from, std::int64_t to) const {
    return unit_of(at(to) - at(from), Position{1, 0, 0});
  }

  /// Returns the direction from `centre` that points away from its placed neighbours.
  Position away_from(std::int64_t centre, const std::vector<std::int64_t>& placed) const {
    Position sum{};
    for (const std::int64_t neighbour : placed) {
      sum = sum - direction(centre, neighbour);
    }
    return unit_of(sum, perpendicular(direction(centre, placed[0])));
  }

  void put_two(std::int64_t centre, const std::vector<std::int64_t>& placed,
               const std::vector<std::int64_t>& missing) {
    const Position back = away_from(centre, placed), along = direction(centre, placed[0]);
    const Position side = unit_of(cross(along, direction(centre, placed[1])), perpendicular(back));
    const double half = frame_.angle(missing[0], centre, missing[1]) / 2;
    put(missing[0], centre, std::cos(half) * back + std::sin(half) * side);
    put(missing[1], centre, std::cos(half) * back - std::sin(half) * side);
  }

  /// Places the hydrogens of a `centre` with only one placed neighbour. Chooses the dihedrals of the
  /// hydrogens over the bond from `centre` to this neighbour. Dihedrals are relative to another atom that is
  /// bonded to the neighbour.
  void put_by_turns(std::int64_t centre, std::int64_t neighbour, const std::vector<std::int64_t>& missing,
                    std::size_t bonds) {
    if (bonds == 2) {
      const std::array<double, 3> turns{kPi, kPi / 3, -kPi / 3};
      const auto best = std::max_element(turns.begin(), turns.end(), [&](double a, double b) {
        return clearance(centre, turned(centre, neighbour, missing[0], a)) <
               clearance(centre, turned(centre, neighbour, missing[0], b));
      });
      put(missing[0], centre, turned(centre, neighbour, missing[0], *best));
      return;
    }
    const double step = bonds == 3 ? kPi : 2 * kPi / 3, first = bonds == 3 ? 0 : kPi;
    for (std::size_t i = 0; i < missing.size(); ++i) {
      put(missing[i], centre, turned(centre, neighbour, missing[i], first + static_cast<double>(i) * step));
    }
  }

  /// Returns the direction from `centre` to a hydrogen. `turn`: the dihedral of the hydrogen over the bond to
  /// `neighbour`.
  Position turned(std::int64_t centre, std::int64_t neighbour, std::int64_t hydrogen, double turn) const {
    const Position axis = direction(centre, neighbour);
    Position other = perpendicular(axis);
    for (const std::int64_t reference : frame_.bonded[index(neighbour)]) {
      if (reference != centre && places_[index(reference)]) {
        const Position bond = direction(neighbour, reference);
        other = unit_of(bond - dot(bond, axis) * axis, other);
        break;
      }
    }
    const Position third = cross(axis, other);
    const double angle = frame_.angle(neighbour, centre, hydrogen);
    return std::cos(angle) * axis + std::sin(angle) * (std::cos(turn) * other + std::sin(turn) * third);
  }

  /// Returns the squared distance from a point to the nearest atom that is not bonded to `centre`. The point
  /// is 1 A from `centre` in the direction `towards`.
  double clearance(std::int64_t centre, const Position& towards) const {
    const Position place = at(centre) + towards;
    const auto& bonded = frame_.bonded[index(centre)];
    double nearest = std::numeric_limits<double>::max();
    for (std::int64_t atom = 0; atom < static_cast<std::int64_t>(places_.size()); ++atom) {
      if (atom == centre || !places_[index(atom)] ||
          std::find(bonded.begin(), bonded.end(), atom) != bonded.end()) {
        continue;
      }
      const Position apart = at(atom) - place;
      nearest = std::min(nearest, dot(apart, apart));
    }
    return nearest;
  }

  std::vector<std::optional<Position>> places_;
  const HydrogenFrame& frame_;
};

}  // namespace

std::vector<Position> place_hydrogens(std::vector<std::optional<Position>> known,
                                      const HydrogenFrame& frame) {
  return Placer(std::move(known), frame).place();
}

}  // namespace molgauge::pocket
