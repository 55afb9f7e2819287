#include "molecules/encoders/minimol/low_spectrum.h"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "large_graphs.h"
#include "molecules/chem/neighbours.h"
#include "molecules/encoders/minimol/inputs.h"

namespace molgauge::encoders::minimol {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr Index kWanted = kEigenpairs;

SparseMatrix laplacian_of(const chem::Molecule& graph) {
  const chem::Neighbours neighbours(graph);
  const auto size = static_cast<Index>(graph.atoms.size());
  SparseMatrix matrix(size, size);
  for (Index i = 0; i < size; ++i) {
    const auto atom = static_cast<std::size_t>(i);
    matrix.insert(i, i) = static_cast<double>(neighbours.degree(atom));
    for (const std::uint32_t neighbour : neighbours.of(atom)) {
      if (neighbour > atom) {
        matrix.insert(neighbour, i) = -1;
      }
    }
  }
  return matrix;
}

/// Returns the number of wanted eigenvectors, plus all further eigenvectors with the last wanted eigenvalue.
Index members(const Eigen::VectorXd& values) {
  Index end = kWanted;
  while (end < values.size() && values[end] - values[end - 1] < kSameEigenvalue) {
    ++end;
  }
  return end;
}

void expect_what_the_whole_matrix_gives(const chem::Molecule& graph) {
  const SparseMatrix laplacian = laplacian_of(graph);
  const auto found = lowest_eigenpairs(laplacian, kWanted);
  ASSERT_TRUE(found);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> whole(MatrixXd{laplacian});
  const Index count = members(whole.eigenvalues());
  ASSERT_EQ(found->values.size(), count);
  EXPECT_LT((found->values - whole.eigenvalues().head(count)).cwiseAbs().maxCoeff(), 1e-12);
  // The spanned space does not depend on signs and bases.
  const MatrixXd expected = whole.eigenvectors().leftCols(count);
  const MatrixXd difference = found->vectors * found->vectors.transpose() - expected * expected.transpose();
  EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-9);
}

TEST(LowSpectrum, IsThatOfTheWholeMatrix) {
  for (const std::uint32_t atoms : {60U, 121U, 240U, 400U}) {
    for (const test::NamedGraph& shape : test::graphs_of_every_shape(atoms)) {
      if (shape.name == "mixture") {
        continue;  // the vector belongs to several components
      }
      SCOPED_TRACE(shape.name + " of " + std::to_string(atoms));
      expect_what_the_whole_matrix_gives(shape.graph);
    }
  }
}

TEST(LowSpectrum, EightAreWantedAllTwentyOneOfTheEigenspaceAreFound) {
  // The molecule has 22 equal legs. Its lowest nonzero eigenvalue is the lowest eigenvalue of a single leg
  // with a fixed foot.
  const auto found = lowest_eigenpairs(laplacian_of(test::spider(22, 12)), kWanted);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->values.size(), 22);
  EXPECT_NEAR(found->values[1], found->values[21], 1e-13);
}

TEST(LowSpectrum, SaysNothingWhereAnEigenspaceIsTooLarge) {
  EXPECT_FALSE(lowest_eigenpairs(laplacian_of(test::spider(120, 2)), kWanted));
  EXPECT_FALSE(lowest_eigenpairs(laplacian_of(test::complete(200)), kWanted));
}

TEST(LowSpectrum, ComesOutTheSameEveryTime) {
  const SparseMatrix laplacian = laplacian_of(test::bushy_chain(500, 5, 8));
  const auto first = lowest_eigenpairs(laplacian, kWanted), second = lowest_eigenpairs(laplacian, kWanted);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->values, second->values);
  EXPECT_EQ(first->vectors, second->vectors);
}

TEST(ShiftedFactor, CountsEigenvaluesBelowTheShift) {
  const SparseMatrix laplacian = laplacian_of(test::path(100));
  const Eigen::SelfAdjointEigenSolver<MatrixXd> whole(MatrixXd{laplacian});
  for (Index count : {1, 2, 7, 50, 99}) {
    const double between = (whole.eigenvalues()[count - 1] + whole.eigenvalues()[count]) / 2;
    EXPECT_EQ(ShiftedFactor(laplacian, -between).eigenvalues_below(1e-9), count);
  }
}

TEST(ShiftedFactor, DoesNotCountWhatRoundingHides) {
  // With this shift, the pivot of the first eliminated atom is close to zero.
  const SparseMatrix laplacian = laplacian_of(test::path(3));
  const ShiftedFactor factor(laplacian, -(1 + 1e-15));
  EXPECT_TRUE(!factor.is_usable() || !factor.eigenvalues_below(1e-9));
}

}  // namespace
}  // namespace molgauge::encoders::minimol
