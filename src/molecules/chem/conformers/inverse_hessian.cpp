// Compiled without fused multiply-adds, because they round differently (CMakeLists.txt).

#include "molecules/chem/conformers/inverse_hessian.h"

#include <algorithm>

// Compiles a function for several vector widths. All versions give identical numbers, because each sum stays
// in one lane. The version is chosen while the program is loaded. Sanitizers are not initialised at that
// time, so builds with sanitizers have only one version.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define MOLGAUGE_FOR_EACH_PROCESSOR __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define MOLGAUGE_FOR_EACH_PROCESSOR
#endif

namespace molgauge::chem {
namespace {

/// Number of rows whose products are added in one pass, so that sums stay in registers.
constexpr std::size_t kTogether = 4;

/// Adds rows[k][i] * numbers[k] to sums[i] for four rows, in the order k = 0, 1, 2, 3. `width`: length of a
/// row.
MOLGAUGE_FOR_EACH_PROCESSOR
void add_rows(std::size_t width, const double* rows, const double* numbers, double* sums) {
  const double *const second = rows + width, *const third = second + width, *const fourth = third + width;
  for (std::size_t i = 0; i < width; ++i) {
    double sum = sums[i] + rows[i] * numbers[0];
    sum += second[i] * numbers[1];
    sum += third[i] * numbers[2];
    sums[i] = sum + fourth[i] * numbers[3];
  }
}

MOLGAUGE_FOR_EACH_PROCESSOR
void add_row(std::size_t width, const double* row, double number, double* sums) {
  for (std::size_t i = 0; i < width; ++i) {
    sums[i] += row[i] * number;
  }
}

/// Adds a[i] p - b[i] q + c[i] r to row[i] for each i in [first, last).
MOLGAUGE_FOR_EACH_PROCESSOR
void add_change(std::size_t first, std::size_t last, const double* a, double p, const double* b, double q,
                const double* c, double r, double* row) {
  for (std::size_t i = first; i < last; ++i) {
    row[i] += a[i] * p - b[i] * q + c[i] * r;
  }
}

std::vector<double> times(std::span<const double> numbers, double factor) {
  std::vector<double> products(numbers.begin(), numbers.end());
  for (double& product : products) {
    product *= factor;
  }
  return products;
}

}  // namespace

InverseHessian::InverseHessian(std::size_t width) : width_(width), rows_(width * width) {
  for (std::size_t i = 0; i < width; ++i) {
    rows_[i * width + i] = 1;
  }
}

void InverseHessian::multiply(std::span<const double> vector, std::span<double> product) const {
  std::fill(product.begin(), product.end(), 0.0);
  const std::size_t whole = width_ / kTogether * kTogether;
  for (std::size_t j = 0; j < whole; j += kTogether) {
    add_rows(width_, &rows_[j * width_], &vector[j], product.data());
  }
  for (std::size_t j = whole; j < width_; ++j) {
    add_row(width_, &rows_[j * width_], vector[j], product.data());
  }
}

void InverseHessian::update(const Change& change) {
  // As in RDKit, the factor is first multiplied by the element with the smaller index: (factor a[i]) a[j] for
  // i <= j. The rounding depends on this order.
  const std::vector<double> step = times(change.step, change.of_step),
                            product = times(change.product, change.of_product),
                            curvature = times(change.curvature, change.of_curvature);
  for (std::size_t j = 0; j < width_; ++j) {
    double* const row = &rows_[j * width_];
    add_change(0, j, step.data(), change.step[j], product.data(), change.product[j], curvature.data(),
               change.curvature[j], row);
    add_change(j, width_, change.step.data(), step[j], change.product.data(), product[j],
               change.curvature.data(), curvature[j], row);
  }
}

}  // namespace molgauge::chem
