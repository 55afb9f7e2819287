// The terms of bonds, angles, planes and torsions of the level MOLGAUGE_LEVEL. The compiler vectorises the
// loops.

#include <cmath>

#include "molecules/chem/conformers/fast/levels/level.h"

namespace molgauge::chem::fast::MOLGAUGE_LEVEL {
namespace {

constexpr double kPi = 3.14159265358979323846, kDegree = kPi / 180;
constexpr double kMdyne = 143.9325;  ///< kcal/mol in md angstrom
constexpr double kTiny = 1e-20;

// Functions in vectorised loops must be inlined.
#define MOLGAUGE_INLINED __attribute__((always_inline))
#define MOLGAUGE_INLINE MOLGAUGE_INLINED inline

MOLGAUGE_INLINE double larger(double a, double b) { return a > b ? a : b; }

struct Vector {
  double x, y, z;
};
MOLGAUGE_INLINE Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
MOLGAUGE_INLINE Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
MOLGAUGE_INLINE Vector operator*(double factor, Vector a) {
  return {factor * a.x, factor * a.y, factor * a.z};
}
MOLGAUGE_INLINE double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
MOLGAUGE_INLINE double length(Vector a) { return std::sqrt(dot(a, a) + kTiny); }
MOLGAUGE_INLINE Vector cross(Vector a, Vector b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// The vector from the atom `from` to the atom `to`.
MOLGAUGE_INLINE Vector between(Points points, std::int32_t from, std::int32_t to) {
  return {points.x[to] - points.x[from], points.y[to] - points.y[from], points.z[to] - points.z[from]};
}

}  // namespace

/// Writes the slope of an atom of a term to an array [atom of the term, axis, count]. Loops are only
/// vectorised if they write to such an array. add_slopes() then adds its numbers to the atoms one by one.
static MOLGAUGE_INLINE void set(double* __restrict to, std::size_t count, std::size_t atom, std::size_t term,
                                Vector slope) {
  to[3 * atom * count + term] = slope.x;
  to[(3 * atom + 1) * count + term] = slope.y;
  to[(3 * atom + 2) * count + term] = slope.z;
}

static void add_slopes(std::size_t count, std::size_t atom, const std::int32_t* atoms, const double* work,
                       Slopes slopes) {
  const double* const from = work + 3 * atom * count;
  for (std::size_t t = 0; t < count; ++t) {
    slopes.x[atoms[t]] += from[t];
    slopes.y[atoms[t]] += from[count + t];
    slopes.z[atoms[t]] += from[2 * count + t];
  }
}

/// Returns the sum of the energies that `term` computes. The loop has no variables of its own, because
/// structs in it would prevent its vectorisation.
template <typename Term>
double sum_over(std::size_t count, Term term) {
  double energy = 0;
#pragma omp simd reduction(+ : energy)
  for (std::size_t t = 0; t < count; ++t) {
    energy += term(t);
  }
  return energy;
}

double bonds(BondTerms terms, Points points, Slopes slopes, double* work) {
  const std::size_t count = terms.count;
  const double energy = sum_over(count, [=](std::size_t t) MOLGAUGE_INLINED {
    const Vector bond = between(points, terms.j[t], terms.i[t]);
    const double distance = length(bond);
    const double delta = distance - terms.length[t], stiffness = kMdyne * terms.stiffness[t];
    constexpr double kCubic = -2, kQuartic = 7.0 / 12 * kCubic * kCubic;
    const double energy_of_term =
        0.5 * stiffness * delta * delta * (1 + kCubic * delta + kQuartic * delta * delta);
    const double slope =
        stiffness * delta * (1 + 1.5 * kCubic * delta + 2 * kQuartic * delta * delta) / distance;
    set(work, count, 0, t, slope * bond);
    set(work, count, 1, t, -slope * bond);
    return energy_of_term;
  });
  add_slopes(count, 0, terms.i, work, slopes);
  add_slopes(count, 1, terms.j, work, slopes);
  return energy;
}

/// arcsin(s) / s - 1 of 0 <= s <= 1/2, divided by z = s^2. Minimax polynomial with an error of 2e-16.
MOLGAUGE_INLINE double arcsine_series(double z) {
  double p = 0.0281692180608814129;
  p = p * z - 0.0107490503396978076;
  p = p * z + 0.0160355143491488231;
  p = p * z + 0.00780294947735331714;
  p = p * z + 0.0118754943826369232;
  p = p * z + 0.0139296529023266332;
  p = p * z + 0.0173552599557863217;
  p = p * z + 0.0223720476317445104;
  p = p * z + 0.0303819473670984811;
  p = p * z + 0.0446428571034236434;
  p = p * z + 0.0750000000002076436;
  return p * z + 0.166666666666666486;
}

/// arcsin of -1 <= s <= 1. Both branches of a condition are computed in vectors.
MOLGAUGE_INLINE double arcsine(double s) {
  const double size = s < 0 ? -s : s;
  const bool is_large = size > 0.5;
  const double half = 0.5 * (1 - size), half_root = std::sqrt(larger(half, 0.0));
  const double z = is_large ? half : size * size, root = is_large ? half_root : size;
  const double small = root + root * z * arcsine_series(z);
  const double result = is_large ? 0.5 * kPi - 2 * small : small;
  return s < 0 ? -result : result;
}

MOLGAUGE_INLINE double clipped(double cosine) { return cosine > 1 ? 1 : (cosine < -1 ? -1 : cosine); }

double angles(AngleTerms terms, Points points, Slopes slopes, double* work) {
  const std::size_t count = terms.count;
  const double energy = sum_over(count, [=](std::size_t t) MOLGAUGE_INLINED {
    const Vector to_i = between(points, terms.j[t], terms.i[t]),
                 to_k = between(points, terms.j[t], terms.k[t]);
    const double a = length(to_i), inverse_a = 1 / a, b = length(to_k), inverse_b = 1 / b;
    const Vector u = inverse_a * to_i, v = inverse_b * to_k;
    const double cosine = clipped(dot(u, v));
    const double delta = (0.5 * kPi - arcsine(cosine)) / kDegree - terms.angle[t];
    const double sine = std::sqrt(larger(1 - cosine * cosine, 1e-16));
    constexpr double kCubic = -0.006981317, kSquareDegree = kMdyne * kDegree * kDegree;
    const double stiffness = terms.stiffness[t], linear = terms.linear[t], bent = 1 - linear;
    const double stretch =
        terms.stretch_ij[t] * (a - terms.length_ij[t]) + terms.stretch_kj[t] * (b - terms.length_kj[t]);
    const double energy_of_term =
        linear * kMdyne * stiffness * (1 + cosine) +
        bent * 0.5 * kSquareDegree * stiffness * delta * delta * (1 + kCubic * delta) +
        kMdyne * kDegree * stretch * delta;
    const double by_angle =
        bent * kMdyne * kDegree * stiffness * delta * (1 + 1.5 * kCubic * delta) + kMdyne * stretch;
    const double by_cosine = linear * kMdyne * stiffness - by_angle / sine;
    const double by_a = kMdyne * kDegree * terms.stretch_ij[t] * delta,
                 by_b = kMdyne * kDegree * terms.stretch_kj[t] * delta;
    const Vector at_i = by_cosine * inverse_a * (v - cosine * u) + by_a * u;
    const Vector at_k = by_cosine * inverse_b * (u - cosine * v) + by_b * v;
    set(work, count, 0, t, at_i);
    set(work, count, 1, t, at_k);
    set(work, count, 2, t, -1 * (at_i + at_k));
    return energy_of_term;
  });
  add_slopes(count, 0, terms.i, work, slopes);
  add_slopes(count, 1, terms.k, work, slopes);
  add_slopes(count, 2, terms.j, work, slopes);
  return energy;
}

/// Terms of the angle chi between the bond j-l and the plane i-j-k. `is_square`: k/2 chi^2, otherwise
/// k (1 - cos(chi)).
template <bool is_square>
double plane_terms(PlaneTerms terms, Points points, Slopes slopes, double* work) {
  const std::size_t count = terms.count;
  const double energy = sum_over(count, [=](std::size_t t) MOLGAUGE_INLINED {
    const std::int32_t j = terms.j[t];
    const Vector a = between(points, j, terms.i[t]), b = between(points, j, terms.k[t]),
                 c = between(points, j, terms.l[t]), normal = cross(a, b);
    const double inverse_m = 1 / length(normal), inverse_c = 1 / length(c);
    const Vector m = inverse_m * normal, e = inverse_c * c;
    const double sine = clipped(dot(m, e));
    const double cosine = std::sqrt(larger(1 - sine * sine, 1e-16));
    const double angle = arcsine(sine), stiffness = terms.stiffness[t];
    const double energy_of_term = is_square ? 0.5 * stiffness * angle * angle : stiffness * (1 - cosine);
    const double by_sine = stiffness * (is_square ? angle : sine) / cosine;
    const Vector u = by_sine * inverse_m * (e - sine * m);
    const Vector at_i = cross(b, u), at_k = cross(u, a), at_l = by_sine * inverse_c * (m - sine * e);
    set(work, count, 0, t, at_i);
    set(work, count, 1, t, at_k);
    set(work, count, 2, t, at_l);
    set(work, count, 3, t, -1 * (at_i + at_k + at_l));
    return energy_of_term;
  });
  add_slopes(count, 0, terms.i, work, slopes);
  add_slopes(count, 1, terms.k, work, slopes);
  add_slopes(count, 2, terms.l, work, slopes);
  add_slopes(count, 3, terms.j, work, slopes);
  return energy;
}

double planes(PlaneTerms terms, Points points, Slopes slopes, double* work) {
  return plane_terms<true>(terms, points, slopes, work);
}

double inversions(PlaneTerms terms, Points points, Slopes slopes, double* work) {
  return plane_terms<false>(terms, points, slopes, work);
}

template <int degree>
double torsion_terms(TorsionTerms terms, Points points, Slopes slopes, double* work) {
  const std::size_t count = terms.count;
  const double energy = sum_over(count, [=](std::size_t t) MOLGAUGE_INLINED {
    const std::int32_t j = terms.j[t], k = terms.k[t];
    const Vector a = between(points, j, terms.i[t]), b = between(points, j, k),
                 c = between(points, k, terms.l[t]);
    // The normals of the planes i-j-k and j-k-l.
    const Vector first = cross(a, b), second = cross(c, b);
    const double inverse_m = 1 / length(first), inverse_n = 1 / length(second);
    const Vector m = inverse_m * first, n = inverse_n * second;
    const double cosine = dot(m, n);
    double value = terms.coefficients[degree][t], slope = 0;
    for (int power = degree - 1; power >= 0; --power) {
      slope = slope * cosine + value;
      value = value * cosine + terms.coefficients[power][t];
    }
    const Vector u = slope * inverse_m * (n - cosine * m), v = slope * inverse_n * (m - cosine * n);
    const Vector at_i = cross(b, u), at_l = cross(b, v), turn = cross(c, v) - cross(u, a);
    set(work, count, 0, t, at_i);
    set(work, count, 1, t, at_l);
    set(work, count, 2, t, turn - at_i);
    set(work, count, 3, t, -1 * (turn + at_l));
    return value;
  });
  add_slopes(count, 0, terms.i, work, slopes);
  add_slopes(count, 1, terms.l, work, slopes);
  add_slopes(count, 2, terms.j, work, slopes);
  add_slopes(count, 3, terms.k, work, slopes);
  return energy;
}

double torsions(TorsionTerms terms, Points points, Slopes slopes, double* work) {
  return terms.degree == 3 ? torsion_terms<3>(terms, points, slopes, work)
                           : torsion_terms<6>(terms, points, slopes, work);
}

}  // namespace molgauge::chem::fast::MOLGAUGE_LEVEL
