#include "pockets/term_geometry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace molgauge::pocket {
namespace {

using Vector = std::array<float, 3>;

Vector between(const ops::Floats& positions, std::int64_t from, std::int64_t to) {
  const float *const a = positions.data() + 3 * from, *const b = positions.data() + 3 * to;
  return {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
}

float dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vector direction(const Vector& v) {
  const float by = 1 / std::max(std::sqrt(dot(v, v)), kLeastLength);
  return {v[0] * by, v[1] * by, v[2] * by};
}

}  // namespace

ops::Floats angle_cosines(const ops::Floats& positions, const std::vector<ops::Integers>& atoms) {
  const std::int64_t terms = atoms[0].size(0);
  ops::Floats cosines{terms, 1};
  for (std::int64_t term = 0; term < terms; ++term) {
    const std::int64_t centre = atoms[1].data()[term];
    const Vector first = direction(between(positions, centre, atoms[0].data()[term]));
    const Vector last = direction(between(positions, centre, atoms[2].data()[term]));
    cosines.data()[term] = std::clamp(dot(first, last), -1.0F, 1.0F);
  }
  return cosines;
}

ops::Floats dihedral_turns(const ops::Floats& positions, const std::vector<ops::Integers>& atoms) {
  const std::int64_t terms = atoms[0].size(0);
  ops::Floats turns{terms, 2};
  for (std::int64_t term = 0; term < terms; ++term) {
    const auto bond = [&](std::size_t place) {
      return between(positions, atoms[place].data()[term], atoms[place + 1].data()[term]);
    };
    const Vector middle = bond(1), one = direction(cross(bond(0), middle)),
                 other = direction(cross(middle, bond(2)));
    turns.data()[2 * term] = std::clamp(dot(one, other), -1.0F, 1.0F);
    turns.data()[2 * term + 1] = std::clamp(dot(cross(one, direction(middle)), other), -1.0F, 1.0F);
  }
  return turns;
}

}  // namespace molgauge::pocket
