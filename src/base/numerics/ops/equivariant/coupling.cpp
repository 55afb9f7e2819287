#include "base/numerics/ops/equivariant/coupling.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <stdexcept>
#include <utility>

namespace molgauge::ops {
namespace {

using Complex = std::complex<double>;

double factorial(int n) {
  double product = 1;
  for (int factor = 2; factor <= n; ++factor) {
    product *= factor;
  }
  return product;
}

/// The Clebsch-Gordan coefficient <a p b q | c p+q>, by Racah's formula.
double clebsch_gordan(int a, int p, int b, int q, int c) {
  const int r = p + q;
  if (std::abs(r) > c) {
    return 0;
  }
  const double triangle =
      factorial(a + b - c) * factorial(a - b + c) * factorial(b - a + c) / factorial(a + b + c + 1);
  const double states = factorial(a + p) * factorial(a - p) * factorial(b + q) * factorial(b - q) *
                        factorial(c + r) * factorial(c - r);
  double sum = 0;
  for (int z = std::max({0, b - c - p, a - c + q}); z <= std::min({a + b - c, a - p, b + q}); ++z) {
    sum +=
        (z % 2 == 0 ? 1 : -1) / (factorial(z) * factorial(a + b - c - z) * factorial(a - p - z) *
                                 factorial(b + q - z) * factorial(c - b + p + z) * factorial(c - a - q + z));
  }
  return std::sqrt((2 * c + 1) * triangle * states) * sum;
}

/// A complex harmonic is a sum of real harmonics. Returns the coefficient of real harmonic `component` in the
/// complex harmonic of this degree and order m.
Complex part_of_real(int degree, int m, int component) {
  const int order = component - degree;
  if (std::abs(order) != std::abs(m)) {
    return 0;
  }
  const Complex phase = std::pow(Complex(0, -1), degree);
  if (m == 0) {
    return phase;
  }
  const double sign = m > 0 && m % 2 != 0 ? -1 : 1;
  const Complex of_cosine = sign / std::sqrt(2.0);
  const Complex of_sine = Complex(0, m > 0 ? 1 : -1) * sign / std::sqrt(2.0);
  return phase * (order > 0 ? of_cosine : of_sine);
}

}  // namespace

std::vector<double> wigner_3j(int a, int b, int c) {
  if (std::min({a, b, c}) < 0 || std::max({a, b, c}) > Irreps::kMaxDegree || c < std::abs(a - b) ||
      c > a + b) {
    throw std::invalid_argument("degrees that do not couple");
  }
  std::vector<double> symbols;
  double squares = 0;
  for (int i = 0; i <= 2 * a; ++i) {
    for (int j = 0; j <= 2 * b; ++j) {
      for (int k = 0; k <= 2 * c; ++k) {
        Complex sum = 0;
        for (int p = -a; p <= a; ++p) {
          for (int q = std::max(-b, -c - p); q <= std::min(b, c - p); ++q) {
            sum += part_of_real(a, p, i) * part_of_real(b, q, j) * std::conj(part_of_real(c, p + q, k)) *
                   clebsch_gordan(a, p, b, q, c);
          }
        }
        symbols.push_back(sum.real());
        squares += sum.real() * sum.real();
      }
    }
  }
  for (double& symbol : symbols) {
    symbol /= std::sqrt(squares);
  }
  return symbols;
}

std::vector<Coupling> couplings(int a, int b, int c) {
  constexpr double kRounding = 1e-12;
  const std::vector<double> symbols = wigner_3j(a, b, c);
  const auto at = [&](std::ptrdiff_t i, std::ptrdiff_t j, std::ptrdiff_t k) {
    return symbols[static_cast<std::size_t>((i * (2 * b + 1) + j) * (2 * c + 1) + k)];
  };
  std::vector<Coupling> found;
  for (int k = 0; k <= 2 * c; ++k) {
    for (int i = 0; i <= 2 * a; ++i) {
      for (int j = 0; j <= 2 * b; ++j) {
        const double value = at(i, j, k);
        if (std::abs(value) > kRounding) {
          found.push_back({i, j, k, value});
        }
      }
    }
  }
  return found;
}

TensorProduct::TensorProduct(Irreps in, int most_degree, Irreps out)
    : in_(std::move(in)), harmonics_(Irreps::harmonics(most_degree)), out_(std::move(out)) {
  std::vector<std::int64_t> rows(out_.blocks().size());
  for (std::size_t i = 0; i < in_.blocks().size(); ++i) {
    for (std::size_t h = 0; h < harmonics_.blocks().size(); ++h) {
      for (std::size_t o = 0; o < out_.blocks().size(); ++o) {
        const IrrepBlock &from = in_.blocks()[i], &with = harmonics_.blocks()[h], &to = out_.blocks()[o];
        const Parity parity = from.parity == with.parity ? Parity::even : Parity::odd;
        if (to.parity != parity || to.degree < std::abs(from.degree - with.degree) ||
            to.degree > from.degree + with.degree) {
          continue;
        }
        paths_.push_back({i, h, o, from.multiplicity, to.multiplicity, weights_, 0,
                          ops::couplings(from.degree, with.degree, to.degree)});
        weights_ += from.multiplicity * to.multiplicity;
        rows[o] += from.multiplicity;
      }
    }
  }
  for (ProductPath& path : paths_) {
    path.scale = std::sqrt(static_cast<double>(out_.blocks()[path.out].components()) /
                           static_cast<double>(rows[path.out]));
  }
}

}  // namespace molgauge::ops
