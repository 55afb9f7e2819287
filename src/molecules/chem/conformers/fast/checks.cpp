#include "molecules/chem/conformers/fast/checks.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace molgauge::chem::fast {
namespace {

constexpr double kLeastTetrahedralVolume = 0.5;  ///< of unit vectors
constexpr double kCentreTolerance = 0.3, kChiralCentreTolerance = 0.1;
constexpr double kStraight = -0.9848, kNearlyStraight = -0.9659;  ///< cosines of 170 and 165 degrees
constexpr double kVolumeTolerance = 0.2, kDistanceTolerance = 0.1;

struct Vector {
  double x, y, z;
};
Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vector cross(Vector a, Vector b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double length(Vector a) { return std::sqrt(dot(a, a)); }
Vector unit(Vector a) {
  const double size = std::max(length(a), 1e-12);
  return {a.x / size, a.y / size, a.z / size};
}
Vector place(Points at, std::int32_t atom) { return {at.x[atom], at.y[atom], at.z[atom]}; }

double chiral_volume(const ChiralSet& set, Points at) {
  const Vector last = place(at, set.neighbours[3]);
  return dot(place(at, set.neighbours[0]) - last,
             cross(place(at, set.neighbours[1]) - last, place(at, set.neighbours[2]) - last));
}

bool has_volume(const ChiralSet& set, Points at) {
  Vector bonds[4];
  for (std::size_t i = 0; i < 4; ++i) {
    bonds[i] = unit(place(at, set.centre) - place(at, set.neighbours[i]));
  }
  for (std::size_t left_out = 0; left_out < 4; ++left_out) {
    const Vector &a = bonds[left_out == 0 ? 1 : 0], &b = bonds[left_out <= 1 ? 2 : 1],
                 &c = bonds[left_out <= 2 ? 3 : 2];
    if (std::fabs(dot(cross(a, b), c)) < kLeastTetrahedralVolume) {
      return false;
    }
  }
  return true;
}

/// Whether both points are on the same side of the plane of a, b and c, and not too near.
bool are_on_one_side(Vector a, Vector b, Vector c, Vector point, Vector other, double tolerance) {
  const Vector normal = cross(b - a, c - a);
  const double one = dot(normal, point - a), two = dot(normal, other - a);
  return std::fabs(one) >= tolerance && std::fabs(two) >= tolerance && (one < 0) == (two < 0);
}

bool is_centre_inside(const ChiralSet& set, Points at, double tolerance) {
  if (!set.has_four()) {
    return true;
  }
  const Vector centre = place(at, set.centre), a = place(at, set.neighbours[0]),
               b = place(at, set.neighbours[1]), c = place(at, set.neighbours[2]),
               d = place(at, set.neighbours[3]);
  return are_on_one_side(a, b, c, d, centre, tolerance) && are_on_one_side(b, c, d, a, centre, tolerance) &&
         are_on_one_side(c, d, a, b, centre, tolerance) && are_on_one_side(d, a, b, c, centre, tolerance);
}

bool are_distances_kept(const EmbeddingTerms& terms, const std::set<std::int32_t>& atoms, Points at) {
  const std::size_t row = PairShape(terms.atoms).square;
  for (auto one = atoms.begin(); one != atoms.end(); ++one) {
    for (auto other = std::next(one); other != atoms.end(); ++other) {
      const std::size_t pair = static_cast<std::size_t>(*one) * row + static_cast<std::size_t>(*other);
      const double distance = length(place(at, *one) - place(at, *other));
      const double allowance = kDistanceTolerance * terms.upper[pair];
      if (distance < terms.lower[pair] - allowance || distance > terms.upper[pair] + allowance) {
        return false;
      }
    }
  }
  return true;
}

double cosine_of_angle(const std::array<std::int32_t, 3>& angle, Points at) {
  const Vector centre = place(at, angle[1]);
  return dot(unit(place(at, angle[0]) - centre), unit(place(at, angle[2]) - centre));
}

/// Whether a-b-c-d is on the right side. A dihedral angle near 90 degrees is on no side.
bool is_on_right_side(const DoubleBond& bond, Points at) {
  const Vector axis = place(at, bond.c) - place(at, bond.b);
  const Vector m = unit(cross(place(at, bond.a) - place(at, bond.b), axis)),
               n = unit(cross(place(at, bond.d) - place(at, bond.c), axis));
  const double cosine = dot(m, n);
  return bond.is_cis ? cosine > 0 : cosine < 0;
}

}  // namespace

bool are_tetrahedral(const EmbeddingTerms& terms, Points at) {
  return std::all_of(terms.tetrahedral.begin(), terms.tetrahedral.end(), [&](const ChiralSet& set) {
    return has_volume(set, at) && is_centre_inside(set, at, kCentreTolerance);
  });
}

bool have_chiral_volumes(const EmbeddingTerms& terms, Points at) {
  return std::all_of(terms.chiral.begin(), terms.chiral.end(), [&](const ChiralSet& set) {
    const double volume = chiral_volume(set, at);
    return set.least_volume > 0 ? volume >= (1 - kVolumeTolerance) * set.least_volume
                                : volume <= (1 - kVolumeTolerance) * set.greatest_volume;
  });
}

bool are_chiral_centres_sound(const EmbeddingTerms& terms, Points at) {
  std::set<std::int32_t> atoms;
  for (const ChiralSet& set : terms.chiral) {
    if (set.has_four()) {
      atoms.insert(set.centre);
      atoms.insert(set.neighbours.begin(), set.neighbours.end());
    }
  }
  return are_distances_kept(terms, atoms, at) &&
         std::all_of(terms.chiral.begin(), terms.chiral.end(),
                     [&](const ChiralSet& set) { return is_centre_inside(set, at, kChiralCentreTolerance); });
}

bool are_angles_bent(const EmbeddingTerms& terms, Points before, Points at) {
  return std::all_of(terms.angles.begin(), terms.angles.end(), [&](const auto& angle) {
    return cosine_of_angle(angle, at) > kStraight || cosine_of_angle(angle, before) < kNearlyStraight;
  });
}

bool is_stereo_right(const std::vector<ChiralSet>& chiral, const std::vector<DoubleBond>& double_bonds,
                     Points at) {
  return std::all_of(chiral.begin(), chiral.end(),
                     [&](const ChiralSet& set) {
                       return chiral_volume(set, at) * (set.least_volume + set.greatest_volume) > 0;
                     }) &&
         std::all_of(double_bonds.begin(), double_bonds.end(),
                     [&](const DoubleBond& bond) { return is_on_right_side(bond, at); });
}

}  // namespace molgauge::chem::fast
