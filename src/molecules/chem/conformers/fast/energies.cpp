#include "molecules/chem/conformers/fast/energies.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace molgauge::chem::fast {
namespace {

constexpr float kBondStiffness = 100, kPairStiffness = 10;
constexpr double kBondTolerance = 0.01;  ///< angstrom

double distance(Points points, std::int32_t i, std::int32_t j) {
  return std::hypot(points.x[i] - points.x[j], points.y[i] - points.y[j], points.z[i] - points.z[j]);
}

PlaneTerms view(const TermList<4, 1>& list) {
  return {list.size(), list.atoms(0), list.atoms(1), list.atoms(2), list.atoms(3), list.numbers(0)};
}

template <std::size_t numbers>
TorsionTerms view_torsions(const TermList<4, numbers>& list) {
  TorsionTerms terms{.count = list.size(),
                     .i = list.atoms(0),
                     .j = list.atoms(1),
                     .k = list.atoms(2),
                     .l = list.atoms(3),
                     .coefficients = {},
                     .degree = static_cast<int>(numbers) - 1};
  for (std::size_t power = 0; power < numbers; ++power) {
    terms.coefficients[power] = list.numbers(power);
  }
  return terms;
}

/// Calls visit(index in [atoms, square]) for all pairs of different atoms.
template <typename Visit>
void for_each_pair(PairShape shape, Visit visit) {
  for (std::size_t i = 0; i < shape.atoms; ++i) {
    for (std::size_t j = 0; j < shape.atoms; ++j) {
      if (i != j) {
        visit(i * shape.square + j);
      }
    }
  }
}

}  // namespace

Energy::Energy(std::size_t atoms, std::size_t dimensions)
    : shape_(atoms),
      dimensions_(dimensions),
      spread_(dimensions * shape_.square),
      rest_(dimensions * shape_.square),
      pair_slopes_(dimensions * shape_.square) {}

Points Energy::points(const double* positions) const {
  return {positions, positions + shape_.axis, positions + 2 * shape_.axis};
}

Slopes Energy::slopes(double* numbers) const {
  return {numbers, numbers + shape_.axis, numbers + 2 * shape_.axis};
}

void Energy::add_pair_slopes(double* slopes) const {
  kernels().gather(shape_, dimensions_, pair_slopes_.data(), slopes);
}

ViolationEnergy::ViolationEnergy(const EmbeddingTerms& terms, std::size_t dimensions, double widest)
    : Energy(terms.atoms, dimensions),
      terms_(terms),
      inverse_upper_squared_(shape_.atoms * shape_.square),
      lower_squared_(shape_.atoms * shape_.square) {
  for_each_pair(shape_, [&](std::size_t pair) {
    const double lower = terms.lower[pair], upper = terms.upper[pair];
    if (upper - lower <= widest) {
      inverse_upper_squared_[pair] = static_cast<float>(1 / (upper * upper));
      lower_squared_[pair] = static_cast<float>(lower * lower);
    }
  });
}

void ViolationEnergy::set_weights(double chirality, double fourth_dimension) {
  chirality_ = chirality;
  fourth_dimension_ = fourth_dimension;
}

double ViolationEnergy::evaluate(const double* positions, double* slopes) {
  std::fill_n(slopes, width(), 0.0);
  kernels().spread(shape_, dimensions_, positions, spread_.data(), rest_.data());
  const LimitPairs pairs{shape_, inverse_upper_squared_.data(), lower_squared_.data()};
  const PairEnergy energy = dimensions_ == 4
                                ? kernels().limits_4d(pairs, spread_.data(), pair_slopes_.data())
                                : kernels().limits_3d(pairs, spread_.data(), pair_slopes_.data());
  add_pair_slopes(slopes);
  largest_ = static_cast<double>(energy.largest);
  double total = energy.total + add_chirality(positions, slopes);
  if (dimensions_ == 4) {
    total += add_fourth_dimension(positions, slopes);
  }
  return total;
}

double ViolationEnergy::add_chirality(const double* positions, double* slopes) {
  const Points at = points(positions);
  const Slopes to = this->slopes(slopes);
  double total = 0;
  for (const ChiralSet& set : terms_.chiral) {
    const auto [i, j, k, l] = set.neighbours;
    const double ax = at.x[i] - at.x[l], ay = at.y[i] - at.y[l], az = at.z[i] - at.z[l];
    const double bx = at.x[j] - at.x[l], by = at.y[j] - at.y[l], bz = at.z[j] - at.z[l];
    const double cx = at.x[k] - at.x[l], cy = at.y[k] - at.y[l], cz = at.z[k] - at.z[l];
    const double px = by * cz - bz * cy, py = bz * cx - bx * cz, pz = bx * cy - by * cx;
    const double volume = ax * px + ay * py + az * pz;
    const double excess = volume - std::clamp(volume, set.least_volume, set.greatest_volume);
    const double energy = chirality_ * excess * excess, slope = 2 * chirality_ * excess;
    const double qx = cy * az - cz * ay, qy = cz * ax - cx * az, qz = cx * ay - cy * ax;
    const double rx = ay * bz - az * by, ry = az * bx - ax * bz, rz = ax * by - ay * bx;
    to.x[i] += slope * px;
    to.y[i] += slope * py;
    to.z[i] += slope * pz;
    to.x[j] += slope * qx;
    to.y[j] += slope * qy;
    to.z[j] += slope * qz;
    to.x[k] += slope * rx;
    to.y[k] += slope * ry;
    to.z[k] += slope * rz;
    to.x[l] -= slope * (px + qx + rx);
    to.y[l] -= slope * (py + qy + ry);
    to.z[l] -= slope * (pz + qz + rz);
    largest_ = std::max(largest_, energy);
    total += energy;
  }
  return total;
}

double ViolationEnergy::add_fourth_dimension(const double* positions, double* slopes) {
  const double* const w = positions + 3 * shape_.axis;
  double* const to = slopes + 3 * shape_.axis;
  double total = 0;
  for (std::size_t i = 0; i < shape_.atoms; ++i) {
    const double energy = fourth_dimension_ * w[i] * w[i];
    to[i] += 2 * fourth_dimension_ * w[i];
    largest_ = std::max(largest_, energy);
    total += energy;
  }
  return total;
}

PreferenceEnergy::PreferenceEnergy(const EmbeddingTerms& terms)
    : Energy(terms.atoms, 3),
      terms_(terms),
      lower_(shape_.atoms * shape_.square),
      upper_(shape_.atoms * shape_.square),
      stiffness_(shape_.atoms * shape_.square),
      unused_slopes_(width()) {
  work_.resize(12 * std::max(terms.inversions.size(), terms.torsions.size()));
  for_each_pair(shape_, [&](std::size_t pair) {
    lower_[pair] = static_cast<float>(terms.lower[pair]);
    upper_[pair] = static_cast<float>(terms.upper[pair]);
    stiffness_[pair] = kPairStiffness;
  });
}

void PreferenceEnergy::set_interval(const double* positions, std::int32_t i, std::int32_t j) {
  const double length = distance(points(positions), i, j);
  const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(j);
  for (const std::size_t pair : {row * shape_.square + column, column * shape_.square + row}) {
    lower_[pair] = static_cast<float>(length - kBondTolerance);
    upper_[pair] = static_cast<float>(length + kBondTolerance);
    stiffness_[pair] = kBondStiffness;
  }
}

void PreferenceEnergy::keep_distances(const double* positions) {
  for (const auto& [i, j, k] : terms_.angles) {
    set_interval(positions, i, k);
  }
  for (const auto& [i, j] : terms_.bonds) {
    set_interval(positions, i, j);
  }
}

double PreferenceEnergy::evaluate(const double* positions, double* slopes) {
  std::fill_n(slopes, width(), 0.0);
  kernels().spread(shape_, 3, positions, spread_.data(), rest_.data());
  const SpringPairs pairs{shape_, lower_.data(), upper_.data(), stiffness_.data()};
  double energy = kernels().springs(pairs, spread_.data(), pair_slopes_.data());
  add_pair_slopes(slopes);
  const Points at = points(positions);
  const Slopes to = this->slopes(slopes);
  energy += kernels().torsions(view_torsions(terms_.torsions), at, to, work_.data());
  energy += kernels().inversions(view(terms_.inversions), at, to, work_.data());
  return energy + add_straight_angles(at, to);
}

double PreferenceEnergy::inversion_energy(const double* positions) {
  return kernels().inversions(view(terms_.inversions), points(positions), slopes(unused_slopes_.data()),
                              work_.data());
}

/// Keeps angles above 179 degrees: 100 (angle - 179 degrees)^2 in kcal/mol/degree^2.
double PreferenceEnergy::add_straight_angles(Points points, Slopes slopes) const {
  constexpr double kDegrees = 180 / std::numbers::pi, kLeast = 179, kLeastSquare = 1e-5;
  double energy = 0;
  for (const auto& [i, j, k] : terms_.straight_angles) {
    const double a[3] = {points.x[i] - points.x[j], points.y[i] - points.y[j], points.z[i] - points.z[j]};
    const double b[3] = {points.x[k] - points.x[j], points.y[k] - points.y[j], points.z[k] - points.z[j]};
    const double aa = std::max(a[0] * a[0] + a[1] * a[1] + a[2] * a[2], kLeastSquare);
    const double bb = std::max(b[0] * b[0] + b[1] * b[1] + b[2] * b[2], kLeastSquare);
    const double inverse = 1 / std::sqrt(aa * bb);
    const double cosine = std::clamp((a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) * inverse, -1.0, 1.0);
    const double lack = std::min(kDegrees * std::acos(cosine) - kLeast, 0.0);
    energy += static_cast<double>(kBondStiffness) * lack * lack;
    const double sine = std::sqrt(std::max(1 - cosine * cosine, 1e-10));
    const double slope = -2 * static_cast<double>(kBondStiffness) * lack * kDegrees / sine;
    double* const axes[3] = {slopes.x, slopes.y, slopes.z};
    for (std::size_t d = 0; d < 3; ++d) {
      const double by_a = slope * (b[d] * inverse - cosine * a[d] / aa);
      const double by_b = slope * (a[d] * inverse - cosine * b[d] / bb);
      axes[d][i] += by_a;
      axes[d][k] += by_b;
      axes[d][j] -= by_a + by_b;
    }
  }
  return energy;
}

ForceFieldEnergy::ForceFieldEnergy(const ForceFieldTerms& terms) : Energy(terms.atoms, 3), terms_(terms) {
  work_.resize(
      12 * std::max({terms.bonds.size(), terms.angles.size(), terms.planes.size(), terms.torsions.size()}));
}

double ForceFieldEnergy::evaluate(const double* positions, double* slopes) {
  std::fill_n(slopes, width(), 0.0);
  kernels().spread(shape_, 3, positions, spread_.data(), rest_.data());
  const NonbondedPairs pairs{shape_, terms_.inverse_radius.data(), terms_.depth.data(),
                             terms_.charges.data()};
  double energy = kernels().nonbonded(pairs, spread_.data(), rest_.data(), pair_slopes_.data());
  add_pair_slopes(slopes);
  const Points at = points(positions);
  const Slopes to = this->slopes(slopes);
  const auto& bonds = terms_.bonds;
  const auto& angles = terms_.angles;
  energy +=
      kernels().bonds({bonds.size(), bonds.atoms(0), bonds.atoms(1), bonds.numbers(0), bonds.numbers(1)}, at,
                      to, work_.data());
  energy += kernels().angles(
      {angles.size(), angles.atoms(0), angles.atoms(1), angles.atoms(2), angles.numbers(0), angles.numbers(1),
       angles.numbers(2), angles.numbers(3), angles.numbers(4), angles.numbers(5), angles.numbers(6)},
      at, to, work_.data());
  energy += kernels().planes(view(terms_.planes), at, to, work_.data());
  return energy + kernels().torsions(view_torsions(terms_.torsions), at, to, work_.data());
}

}  // namespace molgauge::chem::fast
