#include "molecules/encoders/minimol/low_spectrum.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>

namespace molgauge::encoders::minimol {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// Returns |L||D||L'| times a vector of ones. This is the rounding error of each row of the factorisation, in
/// units of the machine precision.
VectorXd rounding_of(const SparseMatrix& strictly_lower, const VectorXd& diagonal) {
  VectorXd columns = VectorXd::Ones(diagonal.size());
  for (Index column = 0; column < strictly_lower.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(strictly_lower, column); entry; ++entry) {
      columns[column] += std::abs(entry.value());
    }
  }
  columns.array() *= diagonal.array().abs();
  VectorXd rows = columns;
  for (Index column = 0; column < strictly_lower.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(strictly_lower, column); entry; ++entry) {
      rows[entry.row()] += std::abs(entry.value()) * columns[column];
    }
  }
  return rows;
}

using Eigen::MatrixXd;

/// The initial number of vectors in an iteration. Eigenspaces of molecules have few dimensions.
constexpr Index kBlock = 16;
/// Maximum number of vectors. It keeps their memory a small multiple of the memory of the matrix.
constexpr Index kLargestBlock = 72;
/// Number of vectors in addition to the wanted ones. The larger the eigenvalues of the additional vectors,
/// the faster the wanted vectors converge.
constexpr Index kSpare = 8;
/// The basis of a projection contains this many blocks: the start block, and its images under the first
/// kPowers - 1 powers of the inverse.
constexpr Index kPowers = 4;
/// The number of blocks in the basis if a block has more than kBlock vectors.
constexpr Index kPowersOfLargeBlock = 2;
constexpr int kMaxRounds = 60;
/// A vector is not added to the basis if the part of it that is orthogonal to the basis is smaller than this
/// share, because that part is rounding error. The limit must be small: the orthogonal part of a nearly
/// converged vector is not larger than its residual, but is still needed.
constexpr double kNothingNew = 1e-15;
/// A vector counts as orthogonal to the basis if the last orthogonalisation has kept at least this share of
/// its length.
constexpr double kOrthogonal = 0.5;

/// Returns deterministic pseudo-random numbers between -1 and 1.
double scattered(std::uint64_t number) {
  number = (number + 1) * 0x9E3779B97F4A7C15U;
  number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9U;
  number = (number ^ (number >> 27)) * 0x94D049BB133111EBU;
  return static_cast<double>(static_cast<std::int64_t>(number ^ (number >> 31))) * 0x1p-63;
}

/// Orthonormal vectors. The first vector is constant, because it is the eigenvector for the eigenvalue 0.
class Basis {
 public:
  Basis(Index size, Index capacity) : columns_(size, capacity) { restart(); }

  void restart() {
    columns_.col(0).setConstant(1 / std::sqrt(static_cast<double>(columns_.rows())));
    count_ = 1;
  }

  auto columns() const { return columns_.leftCols(count_); }
  auto since(Index first) const { return columns_.middleCols(first, count_ - first); }
  Index count() const { return count_; }

  /// Adds the part of each column that is orthogonal to the basis.
  void add(const Eigen::Ref<const MatrixXd>& block) {
    for (Index i = 0; i < block.cols() && count_ < columns_.cols(); ++i) {
      add_column(block.col(i));
    }
  }

 private:
  void add_column(const Eigen::Ref<const VectorXd>& column) {
    VectorXd rest = column.normalized();
    double left = 1;
    for (double kept = 0; kept < kOrthogonal;) {  // a pass removes the rounding errors of the previous one
      const VectorXd shares = columns().transpose() * rest;
      rest.noalias() -= columns() * shares;
      kept = rest.norm();
      left *= kept;
      if (!(left > kNothingNew)) {
        return;
      }
      rest /= kept;
    }
    columns_.col(count_++) = rest;
  }

  MatrixXd columns_;
  Index count_ = 0;
};

MatrixXd start(Index size, Index first, Index count) {
  MatrixXd block(size, count);
  for (Index column = 0; column < count; ++column) {
    for (Index row = 0; row < size; ++row) {
      block(row, column) = scattered(static_cast<std::uint64_t>((first + column) * size + row));
    }
  }
  return block;
}

/// Computes V' A V, one column at a time.
MatrixXd projected(const SparseMatrix& matrix, const Basis& basis) {
  MatrixXd result(basis.count(), basis.count());
  for (Index i = 0; i < basis.count(); ++i) {
    const VectorXd image = matrix.selfadjointView<Eigen::Lower>() * basis.columns().col(i);
    result.col(i).noalias() = basis.columns().transpose() * image;
  }
  return result;
}

class Iteration {
 public:
  Iteration(const SparseMatrix& laplacian, Index wanted)
      : laplacian_(laplacian),
        wanted_(wanted),
        size_(laplacian.rows()),
        // The shift makes the matrix positive definite. It is below the lowest nonzero eigenvalue of a chain,
        // which is the smallest of all connected graphs of this size.
        inverse_(laplacian, 1 / (static_cast<double>(size_) * static_cast<double>(size_))),
        tolerance_(64 * std::numeric_limits<double>::epsilon() * 2 * laplacian.diagonal().maxCoeff()) {}

  std::optional<Eigenpairs> run() {
    if (!inverse_.is_usable()) {
      return std::nullopt;
    }
    Index block = std::min(kBlock, size_);
    pairs_.vectors = start(size_, 0, block);
    for (int round = 0; round < kMaxRounds; ++round) {
      project(block);
      const Index converged = count_converged();
      if (converged < wanted_) {
        continue;
      }
      const Index end = end_of_last_eigenspace(converged);
      const std::optional<Index> below = eigenvalues_up_to(pairs_.values[end - 1]);
      if (!below || *below < end || *below + kSpare > std::min(kLargestBlock, size_)) {
        return std::nullopt;
      }
      if (*below == end) {
        return Eigenpairs{pairs_.values.head(end), pairs_.vectors.leftCols(end)};
      }
      block = std::max(block, *below + kSpare);
    }
    return std::nullopt;
  }

 private:
  /// Computes the Ritz pairs in the space of the last vectors and their images under powers of the inverse.
  void project(Index block) {
    const Index powers = block > kBlock ? kPowersOfLargeBlock : kPowers;
    Basis basis(size_, std::min(size_, 1 + block * powers));
    basis.add(pairs_.vectors.leftCols(std::min(block, pairs_.vectors.cols())));
    if (basis.count() < block) {
      basis.add(start(size_, basis.count(), block - basis.count()));
    }
    Index first = 1;
    for (Index power = 1; power < powers && first < basis.count(); ++power) {
      const MatrixXd images = inverse_.solve(basis.since(first));
      first = basis.count();
      basis.add(images);
    }
    const Eigen::SelfAdjointEigenSolver<MatrixXd> ritz(projected(laplacian_, basis));
    const Index kept = std::min(block, basis.count());
    pairs_.values = ritz.eigenvalues().head(kept);
    pairs_.vectors.noalias() = basis.columns() * ritz.eigenvectors().leftCols(kept);
  }

  Index count_converged() const {
    Index converged = 0;
    while (converged < pairs_.values.size()) {
      const auto vector = pairs_.vectors.col(converged);
      const VectorXd image = laplacian_.selfadjointView<Eigen::Lower>() * vector;
      if (!((image - pairs_.values[converged] * vector).norm() < tolerance_)) {
        break;
      }
      ++converged;
    }
    return converged;
  }

  /// Returns the end of the eigenspace that contains the last wanted eigenpair. Only converged pairs are
  /// considered.
  Index end_of_last_eigenspace(Index converged) const {
    Index end = wanted_;
    while (end < converged && pairs_.values[end] - pairs_.values[end - 1] < kSameEigenvalue) {
      ++end;
    }
    return end;
  }

  /// Returns the number of eigenvalues below value + kSameEigenvalue, or nothing if rounding errors are too
  /// large.
  std::optional<Index> eigenvalues_up_to(double value) const {
    const ShiftedFactor factor(laplacian_, -(value + kSameEigenvalue));
    return factor.is_usable() ? factor.eigenvalues_below(kSameEigenvalue / 16) : std::nullopt;
  }

  const SparseMatrix& laplacian_;
  Index wanted_, size_;
  ShiftedFactor inverse_;
  double tolerance_;
  Eigenpairs pairs_;
};

}  // namespace

ShiftedFactor::ShiftedFactor(const SparseMatrix& matrix, double shift) {
  factor_.setShift(shift);
  factor_.compute(matrix);
}

std::optional<Index> ShiftedFactor::eigenvalues_below(double resolution) const {
  constexpr double kRoundingsAnEntry = 8;
  const VectorXd diagonal = factor_.vectorD();
  const double rounding = kRoundingsAnEntry * std::numeric_limits<double>::epsilon() *
                          rounding_of(factor_.matrixL().nestedExpression(), diagonal).maxCoeff();
  if (!(rounding < resolution)) {
    return std::nullopt;
  }
  return (diagonal.array() < 0).count();
}

std::optional<Eigenpairs> lowest_eigenpairs(const SparseMatrix& laplacian, Index wanted) {
  return Iteration(laplacian, wanted).run();
}

std::uint64_t lowest_eigenpairs_bytes(std::size_t vertices, std::size_t directed_edges) {
  // Number of vectors: the basis, the Ritz vectors, their images under the inverse, a copy of the images, and
  // the result.
  constexpr std::uint64_t vectors = 1 + kPowersOfLargeBlock * kLargestBlock + 4 * kLargestBlock;
  constexpr std::uint64_t largest_basis = 1 + kPowersOfLargeBlock * kLargestBlock, projections = 6;
  // A tree has no fill-in. A graph with r independent rings has at most 2 r vertices after its branches and
  // chains are removed. In the worst case, the fill-in between these vertices is complete.
  const std::uint64_t edges = directed_edges / 2;
  const std::uint64_t rings = edges + 1 > vertices ? edges + 1 - vertices : 0;
  const std::uint64_t joints = std::min<std::uint64_t>(2 * rings, vertices);
  constexpr std::uint64_t entry = sizeof(double) + sizeof(int), copies = 3;
  const std::uint64_t matrix = (vertices + edges) * entry;
  const std::uint64_t factor = (2 * vertices + edges + joints * joints / 2) * entry;
  return vertices * (vectors + 24) * sizeof(double) +
         projections * largest_basis * largest_basis * sizeof(double) + copies * matrix + 2 * factor;
}

}  // namespace molgauge::encoders::minimol
