#include "molecules/encoders/minimol/laplacian.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "graphs.h"
#include "molecules/encoders/minimol/inputs.h"

namespace molgauge::encoders::minimol {
namespace {

using Matrix = std::vector<std::vector<double>>;

LaplacianEncoding encode(const chem::Molecule& molecule) {
  return laplacian_encoding(chem::Neighbours(molecule));
}

float value(const LaplacianEncoding& encoding, std::size_t column, std::size_t atom = 0) {
  return encoding.eigenvalues[atom * kEigenpairs + column];
}

float component(const LaplacianEncoding& encoding, std::size_t column, std::size_t atom) {
  return encoding.eigenvectors[atom * kEigenpairs + column];
}

/// Largest |(L v - lambda v)_i| over the atoms and the first `columns` columns.
double residual(const chem::Molecule& molecule, const LaplacianEncoding& encoding, std::size_t columns) {
  const chem::Neighbours neighbours(molecule);
  double largest = 0;
  for (std::size_t column = 0; column < columns; ++column) {
    for (std::size_t atom = 0; atom < neighbours.atom_count(); ++atom) {
      double sum = (static_cast<double>(neighbours.degree(atom)) - value(encoding, column, atom)) *
                   component(encoding, column, atom);
      for (const std::uint32_t neighbour : neighbours.of(atom)) {
        sum -= component(encoding, column, neighbour);
      }
      largest = std::max(largest, std::abs(sum));
    }
  }
  return largest;
}

double dot(const LaplacianEncoding& encoding, std::size_t atoms, std::size_t left, std::size_t right) {
  double sum = 0;
  for (std::size_t atom = 0; atom < atoms; ++atom) {
    sum += static_cast<double>(component(encoding, left, atom)) * component(encoding, right, atom);
  }
  return sum;
}

void expect_orthonormal(const LaplacianEncoding& encoding, std::size_t atoms, std::size_t columns) {
  for (std::size_t left = 0; left < columns; ++left) {
    for (std::size_t right = 0; right <= left; ++right) {
      EXPECT_NEAR(dot(encoding, atoms, left, right), left == right ? 1 : 0, 1e-6) << left << " " << right;
    }
  }
}

TEST(Laplacian, SingleAtom) {
  const LaplacianEncoding encoding = encode(test::path(1));
  EXPECT_EQ(component(encoding, 0, 0), 1.0F);
  for (std::size_t column = 0; column < kEigenpairs; ++column) {
    EXPECT_EQ(value(encoding, column), 0.0F);
    EXPECT_EQ(component(encoding, column, 0), column == 0 ? 1.0F : 0.0F);
  }
}

TEST(Laplacian, PathsHaveTheKnownSpectrum) {
  const LaplacianEncoding encoding = encode(test::path(12));
  for (std::size_t k = 0; k < kEigenpairs; ++k) {
    EXPECT_NEAR(value(encoding, k), 2 - 2 * std::cos(std::numbers::pi * static_cast<double>(k) / 12), 1e-6);
  }
  EXPECT_LT(residual(test::path(12), encoding, kEigenpairs), 1e-6);
  expect_orthonormal(encoding, 12, kEigenpairs);
}

TEST(Laplacian, LongestRowIsPositiveAndTiesGoToTheLowestAtom) {
  const LaplacianEncoding encoding = encode(test::path(2));
  EXPECT_FLOAT_EQ(component(encoding, 0, 0), std::sqrt(0.5F));
  EXPECT_FLOAT_EQ(component(encoding, 0, 1), std::sqrt(0.5F));
  EXPECT_FLOAT_EQ(component(encoding, 1, 0), std::sqrt(0.5F));
  EXPECT_FLOAT_EQ(component(encoding, 1, 1), -std::sqrt(0.5F));
  EXPECT_FLOAT_EQ(value(encoding, 1), 2.0F);
}

TEST(Laplacian, ColumnsThatASmallComponentLacksAreZero) {
  const LaplacianEncoding encoding = encode(test::ring(6));
  for (std::size_t atom = 0; atom < 6; ++atom) {
    for (std::size_t column = 6; column < kEigenpairs; ++column) {
      EXPECT_EQ(value(encoding, column, atom), 0.0F);
      EXPECT_EQ(component(encoding, column, atom), 0.0F);
    }
  }
}

TEST(Laplacian, RepeatedEigenvaluesGiveOrthonormalEigenvectors) {
  const LaplacianEncoding benzene = encode(test::ring(6)), neopentane = encode(test::star(4));
  const LaplacianEncoding clique = encode(test::complete(10));  // 9 equal eigenvalues, 7 columns
  expect_orthonormal(benzene, 6, 6);
  expect_orthonormal(neopentane, 5, 5);
  expect_orthonormal(clique, 10, kEigenpairs);
  EXPECT_LT(residual(test::ring(6), benzene, 6), 1e-6);
  EXPECT_LT(residual(test::star(4), neopentane, 5), 1e-6);
  EXPECT_LT(residual(test::complete(10), clique, kEigenpairs), 1e-5);
  EXPECT_NEAR(value(clique, 7), 10.0, 1e-5);
}

TEST(Laplacian, ComponentsAreTreatedAlone) {
  chem::Molecule molecule = test::graph(8, {{0, 2}, {2, 4}, {1, 3}, {3, 5}, {5, 6}, {6, 1}});
  const LaplacianEncoding both = encode(molecule), path = encode(test::path(3)), ring = encode(test::ring(4));
  const std::vector<std::uint32_t> on_path = {0, 2, 4}, on_ring = {1, 3, 5, 6};
  for (std::size_t column = 0; column < kEigenpairs; ++column) {
    for (std::size_t i = 0; i < on_path.size(); ++i) {
      EXPECT_EQ(component(both, column, on_path[i]), component(path, column, i));
      EXPECT_EQ(value(both, column, on_path[i]), value(path, column, i));
    }
    for (std::size_t i = 0; i < on_ring.size(); ++i) {
      EXPECT_EQ(component(both, column, on_ring[i]), component(ring, column, i));
    }
    EXPECT_EQ(component(both, column, 7), column == 0 ? 1.0F : 0.0F);
  }
}

/// Returns the eigenvectors that the pivot rule chooses in an eigenspace. They are computed from the
/// projector on the eigenspace, which does not depend on a basis.
Matrix pivot_columns(Matrix projector, std::size_t wanted) {
  Matrix columns;
  for (std::size_t k = 0; k < wanted; ++k) {
    std::size_t pivot = 0;
    for (std::size_t i = 0; i < projector.size(); ++i) {
      pivot = projector[i][i] > projector[pivot][pivot] * (1 + 1e-6) ? i : pivot;
    }
    std::vector<double> column;
    for (const auto& row : projector) {
      column.push_back(row[pivot] / std::sqrt(projector[pivot][pivot]));
    }
    for (std::size_t i = 0; i < projector.size(); ++i) {
      for (std::size_t j = 0; j < projector.size(); ++j) {
        projector[i][j] -= column[i] * column[j];
      }
    }
    columns.push_back(column);
  }
  return columns;
}

/// Returns the projector on the eigenspace of frequency k of a ring. Atom i of the ring has the number
/// numbers[i].
Matrix ring_projector(const std::vector<std::uint32_t>& numbers, std::size_t k) {
  const std::size_t atoms = numbers.size();
  Matrix projector(atoms, std::vector<double>(atoms));
  for (std::size_t i = 0; i < atoms; ++i) {
    for (std::size_t j = 0; j < atoms; ++j) {
      const double turns = static_cast<double>(k) * (static_cast<double>(i) - static_cast<double>(j)) /
                           static_cast<double>(atoms);
      projector[numbers[i]][numbers[j]] =
          2.0 / static_cast<double>(atoms) * std::cos(2 * std::numbers::pi * turns);
    }
  }
  return projector;
}

TEST(Laplacian, GaugeIsThatOfTheEigenspaceHoweverTheRingIsNumbered) {
  std::mt19937 generator(7);
  std::vector<std::uint32_t> numbers(9);
  std::iota(numbers.begin(), numbers.end(), 0U);
  for (int trial = 0; trial < 20; ++trial) {
    std::shuffle(numbers.begin(), numbers.end(), generator);
    const LaplacianEncoding encoding = encode(test::renumbered(test::ring(9), numbers));
    for (std::size_t k = 1; k <= 3; ++k) {
      const Matrix expected = pivot_columns(ring_projector(numbers, k), 2);
      for (std::size_t atom = 0; atom < 9; ++atom) {
        EXPECT_NEAR(component(encoding, 2 * k - 1, atom), expected[0][atom], 1e-6);
        EXPECT_NEAR(component(encoding, 2 * k, atom), expected[1][atom], 1e-6);
      }
    }
  }
}

TEST(Laplacian, LongChainsHaveTheKnownEigenvectors) {
  constexpr std::size_t kAtoms = 2000;
  const LaplacianEncoding encoding = encode(test::path(kAtoms));
  for (std::size_t k = 1; k < kEigenpairs; ++k) {
    const double turn = std::numbers::pi * static_cast<double>(k) / kAtoms;
    EXPECT_NEAR(value(encoding, k), 2 - 2 * std::cos(turn), 1e-10);
    const double sign = component(encoding, k, 0) > 0 ? 1 : -1;
    for (std::size_t atom = 0; atom < kAtoms; ++atom) {
      const double expected = std::sqrt(2.0 / kAtoms) * std::cos(turn * (static_cast<double>(atom) + 0.5));
      ASSERT_NEAR(sign * component(encoding, k, atom), expected, 1e-8) << k << " " << atom;
    }
  }
}

TEST(Laplacian, GaugeOfALargeRingIsThatOfItsEigenspaces) {
  std::vector<std::uint32_t> numbers(301);
  std::iota(numbers.begin(), numbers.end(), 0U);
  std::shuffle(numbers.begin(), numbers.end(), std::mt19937(5));
  const LaplacianEncoding encoding = encode(test::renumbered(test::ring(301), numbers));
  for (std::size_t k = 1; k <= 4; ++k) {
    const Matrix expected = pivot_columns(ring_projector(numbers, k), 2);
    for (std::size_t column = 0; column < 2 && 2 * k - 1 + column < kEigenpairs; ++column) {
      for (std::size_t atom = 0; atom < numbers.size(); ++atom) {
        EXPECT_NEAR(component(encoding, 2 * k - 1 + column, atom), expected[column][atom], 1e-6);
      }
    }
  }
}

TEST(Laplacian, AnEigenspaceThatIsTooLargeToIterateIsFoundAllTheSame) {
  const chem::Molecule molecule = test::star(220);  // 219 eigenvectors with the eigenvalue 1
  const LaplacianEncoding encoding = encode(molecule);
  EXPECT_LT(residual(molecule, encoding, kEigenpairs), 1e-5);
  expect_orthonormal(encoding, 221, kEigenpairs);
}

TEST(Laplacian, MovesWithTheAtomsWhereSymmetryMakesNoneEqual) {
  const chem::Molecule molecule = test::graph(7, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {2, 6}});
  const LaplacianEncoding plain = encode(molecule);
  std::mt19937 generator(11);
  std::vector<std::uint32_t> numbers(7);
  std::iota(numbers.begin(), numbers.end(), 0U);
  for (int trial = 0; trial < 20; ++trial) {
    std::shuffle(numbers.begin(), numbers.end(), generator);
    const LaplacianEncoding moved = encode(test::renumbered(molecule, numbers));
    for (std::size_t atom = 0; atom < 7; ++atom) {
      for (std::size_t column = 0; column < 7; ++column) {
        EXPECT_NEAR(component(moved, column, numbers[atom]), component(plain, column, atom), 1e-6);
      }
    }
  }
}

}  // namespace
}  // namespace molgauge::encoders::minimol
