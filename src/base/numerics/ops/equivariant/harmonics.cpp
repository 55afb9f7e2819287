#include "base/numerics/ops/equivariant/harmonics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "base/numerics/ops/cpu/instruction_level.h"
#include "base/numerics/ops/equivariant/irreps.h"

namespace molgauge::ops {
namespace {

constexpr double kLeastLength = 1e-12;
constexpr std::size_t kMaxDegrees = Irreps::kMaxDegree + 1;
constexpr std::size_t kMaxHarmonics = kMaxDegrees * kMaxDegrees;

using Vector = std::array<double, 3>;
/// A harmonic and its derivatives with respect to x, y and z, as polynomials in x, y and z.
struct Harmonic {
  double value;
  Vector gradients;
};
using Harmonics = std::array<Harmonic, kMaxHarmonics>;

double length_of(const Vector& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/// Evaluates the polynomials for a vector of length 1 or 0.
Harmonics harmonics_of(const Vector& unit, int most) {
  const auto [x, y, z] = unit;
  Harmonics h{};
  h[0] = {1, {}};
  if (most >= 1) {
    const double s = std::sqrt(3.0);
    h[1] = {s * x, {s, 0, 0}};
    h[2] = {s * y, {0, s, 0}};
    h[3] = {s * z, {0, 0, s}};
  }
  if (most >= 2) {
    const double s = std::sqrt(15.0), t = std::sqrt(5.0);
    h[4] = {s * x * z, {s * z, 0, s * x}};
    h[5] = {s * x * y, {s * y, s * x, 0}};
    h[6] = {t * (y * y - (x * x + z * z) / 2), {-t * x, 2 * t * y, -t * z}};
    h[7] = {s * y * z, {0, s * z, s * y}};
    h[8] = {s / 2 * (z * z - x * x), {-s * x, 0, s * z}};
  }
  if (most >= 3) {
    const double a = std::sqrt(70.0) / 4, b = std::sqrt(105.0), c = std::sqrt(42.0) / 4,
                 d = std::sqrt(7.0) / 2;
    const double equator = 4 * y * y - x * x - z * z;
    h[9] = {a * x * (3 * z * z - x * x), {a * 3 * (z * z - x * x), 0, a * 6 * x * z}};
    h[10] = {b * x * y * z, {b * y * z, b * x * z, b * x * y}};
    h[11] = {c * x * equator, {c * (equator - 2 * x * x), c * 8 * x * y, -c * 2 * x * z}};
    h[12] = {d * y * (2 * y * y - 3 * x * x - 3 * z * z),
             {-d * 6 * x * y, d * (6 * y * y - 3 * x * x - 3 * z * z), -d * 6 * y * z}};
    h[13] = {c * z * equator, {-c * 2 * x * z, c * 8 * y * z, c * (equator - 2 * z * z)}};
    h[14] = {b / 2 * y * (z * z - x * x), {-b * x * y, b / 2 * (z * z - x * x), b * y * z}};
    h[15] = {a * z * (z * z - 3 * x * x), {-a * 6 * x * z, 0, a * 3 * (z * z - x * x)}};
  }
  return h;
}

void require_degree(int most) {
  if (most < 0 || most > Irreps::kMaxDegree) {
    throw std::invalid_argument("no spherical harmonics of this degree");
  }
}

}  // namespace

Floats spherical_harmonics(const Floats& vectors, int most) {
  require_degree(most);
  const auto width = static_cast<std::int64_t>(most + 1) * (most + 1);
  Floats out{vectors.size(0), width};
  for (std::int64_t row = 0; row < vectors.size(0); ++row) {
    const float* const v = vectors.data() + 3 * row;
    Vector unit = {v[0], v[1], v[2]};
    const double length = std::max(length_of(unit), kLeastLength);
    for (double& coordinate : unit) {
      coordinate /= length;
    }
    const Harmonics harmonics = harmonics_of(unit, most);
    for (std::int64_t k = 0; k < width; ++k) {
      out.data()[row * width + k] = static_cast<float>(harmonics[static_cast<std::size_t>(k)].value);
    }
  }
  return out;
}

Floats spherical_harmonics_backward(const Floats& vectors, int most, const Floats& gradient) {
  require_degree(most);
  const auto width = static_cast<std::int64_t>(most + 1) * (most + 1);
  Floats out{vectors.size(0), 3};
  for (std::int64_t row = 0; row < vectors.size(0); ++row) {
    const float* const v = vectors.data() + 3 * row;
    Vector unit = {v[0], v[1], v[2]};
    const double length = length_of(unit);
    Vector of_unit = {};
    if (length >= kLeastLength) {
      for (double& coordinate : unit) {
        coordinate /= length;
      }
      const Harmonics harmonics = harmonics_of(unit, most);
      for (std::int64_t k = 0; k < width; ++k) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          of_unit[axis] += static_cast<double>(gradient.data()[row * width + k]) *
                           harmonics[static_cast<std::size_t>(k)].gradients[axis];
        }
      }
    }
    // A displacement along the vector does not change its direction, so that part of the gradient is removed.
    const double along = of_unit[0] * unit[0] + of_unit[1] * unit[1] + of_unit[2] * unit[2];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      out.data()[3 * row + static_cast<std::int64_t>(axis)] =
          length < kLeastLength ? 0.0F : static_cast<float>((of_unit[axis] - along * unit[axis]) / length);
    }
  }
  return out;
}

Floats radial_basis(const Floats& lengths, const Floats& frequencies, double cutoff) {
  constexpr double kLeastRadius = 1e-8;
  const std::int64_t functions = frequencies.count();
  Floats out{lengths.count(), functions};
  std::vector<double> sines(static_cast<std::size_t>(functions));
  const bool is_within_a_million =
      std::all_of(frequencies.data(), frequencies.data() + functions,
                  [&](float frequency) { return std::abs(static_cast<double>(frequency)) * cutoff <= 1e6; });
  for (std::int64_t row = 0; row < lengths.count(); ++row) {
    const double r = std::max<double>(lengths.data()[row], kLeastRadius);
    const double u = static_cast<double>(lengths.data()[row]) / cutoff, u3 = u * u * u;
    const double envelope = u >= 1 ? 0 : 1 + u3 * u3 * (-28 + u * (48 - 21 * u));
    if (envelope == 0) {
      std::fill_n(out.data() + row * functions, functions, 0.0F);
      continue;
    }
    const double factor = std::sqrt(2 / cutoff) / r * envelope;
    for (std::int64_t j = 0; j < functions; ++j) {
      sines[static_cast<std::size_t>(j)] = static_cast<double>(frequencies.data()[j]) * r;
    }
    if (is_within_a_million) {
      cpu::loops().sine(sines.size(), sines.data());
    } else {  // training does not give such frequencies, but a file may contain them
      std::transform(sines.begin(), sines.end(), sines.begin(), [](double angle) { return std::sin(angle); });
    }
    for (std::int64_t j = 0; j < functions; ++j) {
      out.data()[row * functions + j] = static_cast<float>(sines[static_cast<std::size_t>(j)] * factor);
    }
  }
  return out;
}

Floats bessel_frequencies(const RadialBasis& basis) {
  Floats frequencies{basis.functions};
  for (std::int64_t j = 0; j < basis.functions; ++j) {
    frequencies.data()[j] = static_cast<float>(static_cast<double>(j + 1) * std::numbers::pi / basis.cutoff);
  }
  return frequencies;
}

}  // namespace molgauge::ops
