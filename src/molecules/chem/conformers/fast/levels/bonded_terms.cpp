// The terms of bonds, angles, planes and torsions of the level MOLGAUGE_LEVEL. The compiler vectorises the
// loops. Slopes are first written to a list, and then added to the atoms one by one.

#include <cmath>

#include "molecules/chem/conformers/fast/levels/level.h"

namespace molgauge::chem::fast::MOLGAUGE_LEVEL {
namespace {

constexpr double kPi = 3.14159265358979323846, kDegree = kPi / 180;
constexpr double kMdyne = 143.9325;  ///< kcal/mol in md angstrom
constexpr double kTiny = 1e-20;

double larger(double a, double b) { return a > b ? a : b; }

}  // namespace

/// Adds the slopes of an atom of each term. `from` has x, y and z, each of `count` numbers.
static void add_slopes(std::size_t count, const std::int32_t* atoms, const double* from, Slopes slopes) {
  for (std::size_t t = 0; t < count; ++t) {
    slopes.x[atoms[t]] += from[t];
    slopes.y[atoms[t]] += from[count + t];
    slopes.z[atoms[t]] += from[2 * count + t];
  }
}

double bonds(BondTerms terms, Points points, Slopes slopes, double* work) {
  const std::size_t count = terms.count;
  double* const __restrict out = work;
  double energy = 0;
#pragma omp simd reduction(+ : energy)
  for (std::size_t t = 0; t < count; ++t) {
    const std::int32_t i = terms.i[t], j = terms.j[t];
    const double dx = points.x[i] - points.x[j], dy = points.y[i] - points.y[j],
                 dz = points.z[i] - points.z[j];
    const double distance = std::sqrt(dx * dx + dy * dy + dz * dz + kTiny);
    const double delta = distance - terms.length[t], stiffness = kMdyne * terms.stiffness[t];
    constexpr double kCubic = -2, kQuartic = 7.0 / 12 * kCubic * kCubic;
    energy += 0.5 * stiffness * delta * delta * (1 + kCubic * delta + kQuartic * delta * delta);
    const double slope =
        stiffness * delta * (1 + 1.5 * kCubic * delta + 2 * kQuartic * delta * delta) / distance;
    out[t] = slope * dx;
    out[count + t] = slope * dy;
    out[2 * count + t] = slope * dz;
  }
  for (std::size_t t = 0; t < count; ++t) {
    const std::int32_t i = terms.i[t], j = terms.j[t];
    slopes.x[i] += out[t];
    slopes.y[i] += out[count + t];
    slopes.z[i] += out[2 * count + t];
    slopes.x[j] -= out[t];
    slopes.y[j] -= out[count + t];
    slopes.z[j] -= out[2 * count + t];
  }
  return energy;
}

/// arcsin(s) / s - 1 of 0 <= s <= 1/2, divided by z = s^2. Minimax polynomial with an error of 2e-16.
[[gnu::always_inline]] inline double arcsine_series(double z) {
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
[[gnu::always_inline]] inline double arcsine(double s) {
  const double size = s < 0 ? -s : s;
  const bool is_large = size > 0.5;
  const double half = 0.5 * (1 - size), half_root = std::sqrt(larger(half, 0.0));
  const double z = is_large ? half : size * size, root = is_large ? half_root : size;
  const double small = root + root * z * arcsine_series(z);
  const double result = is_large ? 0.5 * kPi - 2 * small : small;
  return s < 0 ? -result : result;
}

[[gnu::always_inline]] inline double clipped(double cosine) {
  return cosine > 1 ? 1 : (cosine < -1 ? -1 : cosine);
}

double angles(AngleTerms terms, Points points, Slopes slopes, double* work) {
  const std::size_t count = terms.count;
  double* const __restrict out = work;
  double energy = 0;
#pragma omp simd reduction(+ : energy)
  for (std::size_t t = 0; t < count; ++t) {
    const std::int32_t i = terms.i[t], j = terms.j[t], k = terms.k[t];
    const double ax = points.x[i] - points.x[j], ay = points.y[i] - points.y[j],
                 az = points.z[i] - points.z[j];
    const double bx = points.x[k] - points.x[j], by = points.y[k] - points.y[j],
                 bz = points.z[k] - points.z[j];
    const double a = std::sqrt(ax * ax + ay * ay + az * az + kTiny), inverse_a = 1 / a;
    const double b = std::sqrt(bx * bx + by * by + bz * bz + kTiny), inverse_b = 1 / b;
    const double ux = ax * inverse_a, uy = ay * inverse_a, uz = az * inverse_a;
    const double vx = bx * inverse_b, vy = by * inverse_b, vz = bz * inverse_b;
    const double cosine = clipped(ux * vx + uy * vy + uz * vz);
    const double delta = (0.5 * kPi - arcsine(cosine)) / kDegree - terms.angle[t];
    const double sine = std::sqrt(larger(1 - cosine * cosine, 1e-16));
    constexpr double kCubic = -0.006981317, kSquareDegree = kMdyne * kDegree * kDegree;
    const double stiffness = terms.stiffness[t], linear = terms.linear[t], bent = 1 - linear;
    const double stretch =
        terms.stretch_ij[t] * (a - terms.length_ij[t]) + terms.stretch_kj[t] * (b - terms.length_kj[t]);
    energy += linear * kMdyne * stiffness * (1 + cosine) +
              bent * 0.5 * kSquareDegree * stiffness * delta * delta * (1 + kCubic * delta) +
              kMdyne * kDegree * stretch * delta;
    const double by_angle =
        bent * kMdyne * kDegree * stiffness * delta * (1 + 1.5 * kCubic * delta) + kMdyne * stretch;
    const double by_cosine = linear * kMdyne * stiffness - by_angle / sine;
    const double by_a = kMdyne * kDegree * terms.stretch_ij[t] * delta,
                 by_b = kMdyne * kDegree * terms.stretch_kj[t] * delta;
    const double along_a = by_cosine * inverse_a, along_b = by_cosine * inverse_b;
    out[t] = along_a * (vx - cosine * ux) + by_a * ux;
    out[count + t] = along_a * (vy - cosine * uy) + by_a * uy;
    out[2 * count + t] = along_a * (vz - cosine * uz) + by_a * uz;
    out[3 * count + t] = along_b * (ux - cosine * vx) + by_b * vx;
    out[4 * count + t] = along_b * (uy - cosine * vy) + by_b * vy;
    out[5 * count + t] = along_b * (uz - cosine * vz) + by_b * vz;
    out[6 * count + t] = -out[t] - out[3 * count + t];
    out[7 * count + t] = -out[count + t] - out[4 * count + t];
    out[8 * count + t] = -out[2 * count + t] - out[5 * count + t];
  }
  add_slopes(count, terms.i, out, slopes);
  add_slopes(count, terms.k, out + 3 * count, slopes);
  add_slopes(count, terms.j, out + 6 * count, slopes);
  return energy;
}

/// Terms of the angle chi between the bond j-l and the plane i-j-k. `is_square`: k/2 chi^2, otherwise
/// k (1 - cos(chi)).
template <bool is_square>
double plane_terms(PlaneTerms terms, Points points, Slopes slopes, double* work) {
  const std::size_t count = terms.count;
  double* const __restrict out = work;
  double energy = 0;
#pragma omp simd reduction(+ : energy)
  for (std::size_t t = 0; t < count; ++t) {
    const std::int32_t i = terms.i[t], j = terms.j[t], k = terms.k[t], l = terms.l[t];
    const double ax = points.x[i] - points.x[j], ay = points.y[i] - points.y[j],
                 az = points.z[i] - points.z[j];
    const double bx = points.x[k] - points.x[j], by = points.y[k] - points.y[j],
                 bz = points.z[k] - points.z[j];
    const double cx = points.x[l] - points.x[j], cy = points.y[l] - points.y[j],
                 cz = points.z[l] - points.z[j];
    double mx = ay * bz - az * by, my = az * bx - ax * bz, mz = ax * by - ay * bx;
    const double inverse_m = 1 / std::sqrt(mx * mx + my * my + mz * mz + kTiny);
    const double inverse_c = 1 / std::sqrt(cx * cx + cy * cy + cz * cz + kTiny);
    mx *= inverse_m, my *= inverse_m, mz *= inverse_m;
    const double ex = cx * inverse_c, ey = cy * inverse_c, ez = cz * inverse_c;
    const double sine = clipped(mx * ex + my * ey + mz * ez);
    const double cosine = std::sqrt(larger(1 - sine * sine, 1e-16));
    const double angle = arcsine(sine), stiffness = terms.stiffness[t];
    energy += is_square ? 0.5 * stiffness * angle * angle : stiffness * (1 - cosine);
    const double by_sine = stiffness * (is_square ? angle : sine) / cosine;
    const double along_m = by_sine * inverse_m, along_c = by_sine * inverse_c;
    const double ux = along_m * (ex - sine * mx), uy = along_m * (ey - sine * my),
                 uz = along_m * (ez - sine * mz);
    out[t] = by * uz - bz * uy;
    out[count + t] = bz * ux - bx * uz;
    out[2 * count + t] = bx * uy - by * ux;
    out[3 * count + t] = uy * az - uz * ay;
    out[4 * count + t] = uz * ax - ux * az;
    out[5 * count + t] = ux * ay - uy * ax;
    out[6 * count + t] = along_c * (mx - sine * ex);
    out[7 * count + t] = along_c * (my - sine * ey);
    out[8 * count + t] = along_c * (mz - sine * ez);
    out[9 * count + t] = -out[t] - out[3 * count + t] - out[6 * count + t];
    out[10 * count + t] = -out[count + t] - out[4 * count + t] - out[7 * count + t];
    out[11 * count + t] = -out[2 * count + t] - out[5 * count + t] - out[8 * count + t];
  }
  add_slopes(count, terms.i, out, slopes);
  add_slopes(count, terms.k, out + 3 * count, slopes);
  add_slopes(count, terms.l, out + 6 * count, slopes);
  add_slopes(count, terms.j, out + 9 * count, slopes);
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
  double* const __restrict out = work;
  double energy = 0;
#pragma omp simd reduction(+ : energy)
  for (std::size_t t = 0; t < count; ++t) {
    const std::int32_t i = terms.i[t], j = terms.j[t], k = terms.k[t], l = terms.l[t];
    const double ax = points.x[i] - points.x[j], ay = points.y[i] - points.y[j],
                 az = points.z[i] - points.z[j];
    const double bx = points.x[k] - points.x[j], by = points.y[k] - points.y[j],
                 bz = points.z[k] - points.z[j];
    const double cx = points.x[l] - points.x[k], cy = points.y[l] - points.y[k],
                 cz = points.z[l] - points.z[k];
    // The normals of the planes i-j-k and j-k-l.
    double mx = ay * bz - az * by, my = az * bx - ax * bz, mz = ax * by - ay * bx;
    double nx = bz * cy - by * cz, ny = bx * cz - bz * cx, nz = by * cx - bx * cy;
    const double inverse_m = 1 / std::sqrt(mx * mx + my * my + mz * mz + kTiny);
    const double inverse_n = 1 / std::sqrt(nx * nx + ny * ny + nz * nz + kTiny);
    mx *= inverse_m, my *= inverse_m, mz *= inverse_m;
    nx *= inverse_n, ny *= inverse_n, nz *= inverse_n;
    const double cosine = mx * nx + my * ny + mz * nz;
    double value = terms.coefficients[degree][t], slope = 0;
    for (int power = degree - 1; power >= 0; --power) {
      slope = slope * cosine + value;
      value = value * cosine + terms.coefficients[power][t];
    }
    energy += value;
    const double along_m = slope * inverse_m, along_n = slope * inverse_n;
    const double ux = along_m * (nx - cosine * mx), uy = along_m * (ny - cosine * my),
                 uz = along_m * (nz - cosine * mz);
    const double vx = along_n * (mx - cosine * nx), vy = along_n * (my - cosine * ny),
                 vz = along_n * (mz - cosine * nz);
    const double ix = by * uz - bz * uy, iy = bz * ux - bx * uz, iz = bx * uy - by * ux;
    const double lx = by * vz - bz * vy, ly = bz * vx - bx * vz, lz = bx * vy - by * vx;
    const double px = uy * az - uz * ay, py = uz * ax - ux * az, pz = ux * ay - uy * ax;
    const double qx = cy * vz - cz * vy, qy = cz * vx - cx * vz, qz = cx * vy - cy * vx;
    out[t] = ix;
    out[count + t] = iy;
    out[2 * count + t] = iz;
    out[3 * count + t] = lx;
    out[4 * count + t] = ly;
    out[5 * count + t] = lz;
    out[6 * count + t] = qx - px - ix;
    out[7 * count + t] = qy - py - iy;
    out[8 * count + t] = qz - pz - iz;
    out[9 * count + t] = px - qx - lx;
    out[10 * count + t] = py - qy - ly;
    out[11 * count + t] = pz - qz - lz;
  }
  add_slopes(count, terms.i, out, slopes);
  add_slopes(count, terms.l, out + 3 * count, slopes);
  add_slopes(count, terms.j, out + 6 * count, slopes);
  add_slopes(count, terms.k, out + 9 * count, slopes);
  return energy;
}

double torsions(TorsionTerms terms, Points points, Slopes slopes, double* work) {
  return terms.degree == 3 ? torsion_terms<3>(terms, points, slopes, work)
                           : torsion_terms<6>(terms, points, slopes, work);
}

}  // namespace molgauge::chem::fast::MOLGAUGE_LEVEL
