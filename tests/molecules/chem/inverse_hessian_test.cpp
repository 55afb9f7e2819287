#include "molecules/chem/conformers/inverse_hessian.h"

#include <random>

#include <gtest/gtest.h>

namespace molgauge::chem {
namespace {

using Numbers = std::vector<double>;

Numbers random_numbers(std::size_t count, std::mt19937& random) {
  Numbers numbers(count);
  for (double& number : numbers) {
    number = std::normal_distribution<double>()(random);
  }
  return numbers;
}

/// Returns the product unchanged. The compiler cannot fuse it with an addition, so it is rounded first.
double rounded(double product) {
  const volatile double kept = product;
  return kept;
}

/// A matrix of which only the upper triangle is updated. The triangle is mirrored, and the matrix is
/// multiplied row by row, as in RDKit.
struct Mirrored {
  std::size_t width;
  Numbers rows;

  Numbers times(const Numbers& vector) const {
    Numbers product(width, 0);
    for (std::size_t i = 0; i < width; ++i) {
      for (std::size_t j = 0; j < width; ++j) {
        product[i] += rounded(rows[i * width + j] * vector[j]);
      }
    }
    return product;
  }
  void update(const InverseHessian::Change& change) {
    for (std::size_t i = 0; i < width; ++i) {
      const double step = change.of_step * change.step[i], product = change.of_product * change.product[i],
                   curvature = change.of_curvature * change.curvature[i];
      for (std::size_t j = i; j < width; ++j) {
        const double sum = rounded(step * change.step[j]) - rounded(product * change.product[j]) +
                           rounded(curvature * change.curvature[j]);
        rows[i * width + j] = rows[j * width + i] = rows[i * width + j] + sum;
      }
    }
  }
};

TEST(InverseHessian, HasTheBitsOfSumsRowByRow) {
  std::mt19937 random(3);
  for (const std::size_t width : {1U, 2U, 3U, 4U, 7U, 8U, 33U, 64U, 129U}) {
    InverseHessian hessian(width);
    Mirrored expected{width, Numbers(width * width, 0)};
    for (std::size_t i = 0; i < width; ++i) {
      expected.rows[i * width + i] = 1;
    }
    for (int turn = 0; turn < 4; ++turn) {
      const Numbers step = random_numbers(width, random), product = random_numbers(width, random),
                    curvature = random_numbers(width, random), vector = random_numbers(width, random);
      const InverseHessian::Change change{step, product, curvature, 0.7, 1.3, 2.1};
      hessian.update(change);
      expected.update(change);
      Numbers made(width);
      hessian.multiply(vector, made);
      ASSERT_EQ(made, expected.times(vector)) << width << ", turn " << turn;
    }
  }
}

}  // namespace
}  // namespace molgauge::chem
