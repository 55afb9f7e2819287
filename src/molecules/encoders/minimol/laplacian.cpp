#include "molecules/encoders/minimol/laplacian.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include "base/core/error.h"
#include "molecules/encoders/minimol/inputs.h"
#include "molecules/encoders/minimol/low_spectrum.h"

namespace molgauge::encoders::minimol {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Atoms = std::vector<std::uint32_t>;

/// For components with up to this number of atoms, all eigenpairs are computed, because a search for the
/// lowest ones is not faster.
constexpr std::size_t kSolvedWhole = 192;
/// Rows with almost the maximum length count as equal, so that rounding errors do not determine the pivot.
constexpr double kLongestRow = 1.0 - 1e-6;

constexpr std::uint32_t kUnseen = ~std::uint32_t{0};

/// Collects the unvisited atoms that are reachable from `start` in `component`, in ascending order, and their
/// positions in `place`.
void collect_component(const chem::Neighbours& neighbours, std::uint32_t start, Atoms& place,
                       Atoms& component) {
  component.assign(1, start);
  place[start] = 0;
  for (std::size_t i = 0; i < component.size(); ++i) {
    for (const std::uint32_t neighbour : neighbours.of(component[i])) {
      if (place[neighbour] == kUnseen) {
        place[neighbour] = 0;
        component.push_back(neighbour);
      }
    }
  }
  std::sort(component.begin(), component.end());
  for (std::uint32_t i = 0; i < component.size(); ++i) {
    place[component[i]] = i;
  }
}

/// The lower triangle of the Laplacian of a component.
SparseMatrix laplacian(const chem::Neighbours& neighbours, const Atoms& component, const Atoms& place) {
  const auto size = static_cast<Index>(component.size());
  std::size_t degrees = 0;
  for (const std::uint32_t atom : component) {
    degrees += neighbours.degree(atom);
  }
  SparseMatrix matrix(size, size);
  matrix.reserve(size + static_cast<Index>(degrees / 2));
  for (Index i = 0; i < size; ++i) {
    const std::uint32_t atom = component[static_cast<std::size_t>(i)];
    matrix.startVec(i);
    matrix.insertBack(i, i) = static_cast<double>(neighbours.degree(atom));
    // Neighbours are in ascending order, and so are their positions.
    for (const std::uint32_t neighbour : neighbours.of(atom)) {
      if (place[neighbour] > i) {
        matrix.insertBack(place[neighbour], i) = -1.0;
      }
    }
  }
  matrix.finalize();
  return matrix;
}

Eigenpairs all_eigenpairs(const SparseMatrix& laplacian) {
  // The solver reads the lower triangle.
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(MatrixXd{laplacian});
  if (solver.info() != Eigen::Success) {
    throw Error("the eigenvalues of a molecule's Laplacian did not converge");
  }
  return {solver.eigenvalues(), solver.eigenvectors()};
}

/// Bytes for all eigenpairs of a component.
std::uint64_t bytes_of_all_eigenpairs(std::uint64_t atoms) {
  // The matrix, two copies of its eigenvectors, and the memory of the pivot rule for a large eigenspace.
  constexpr std::uint64_t matrices = 4, vectors = 16;
  return (matrices * atoms + vectors) * atoms * sizeof(double);
}

/// Returns complete eigenspaces that contain the `wanted` lowest eigenpairs.
Eigenpairs low_eigenspaces(const SparseMatrix& laplacian, Index wanted) {
  const auto atoms = static_cast<std::size_t>(laplacian.rows());
  if (atoms > kSolvedWhole) {
    if (std::optional<Eigenpairs> low = lowest_eigenpairs(laplacian, wanted)) {
      return std::move(*low);
    }
    const auto edges = 2 * static_cast<std::size_t>(laplacian.nonZeros() - laplacian.rows());
    if (bytes_of_all_eigenpairs(atoms) > laplacian_bytes(atoms, edges)) {
      throw InputError(
          "is too symmetric for its size: it has about seventy or more equal branches, for which the "
          "positional encoding of MiniMol needs more memory than planned for a molecule. Leave the molecule "
          "out, or use another encoder");
    }
  }
  return all_eigenpairs(laplacian);
}

/// Replaces the first `wanted` columns of the basis of an eigenspace by the columns of the pivot rule.
void apply_pivot_rule(Eigen::Ref<MatrixXd> eigenspace, Index wanted) {
  MatrixXd basis = eigenspace;
  for (Index column = 0; column < wanted; ++column) {
    const VectorXd lengths = basis.rowwise().squaredNorm();
    const double enough = kLongestRow * lengths.maxCoeff();
    Index pivot = 0;
    while (lengths[pivot] < enough) {
      ++pivot;
    }
    const VectorXd direction = basis.row(pivot).transpose() / std::sqrt(lengths[pivot]);
    eigenspace.col(column).noalias() = basis * direction;
    basis.noalias() -= eigenspace.col(column) * direction.transpose();
  }
}

/// Applies the pivot rule to every eigenspace with one of the first `wanted` eigenvalues.
void fix_gauge(const VectorXd& eigenvalues, MatrixXd& eigenvectors, Index wanted) {
  for (Index first = 0; first < wanted;) {
    Index end = first + 1;
    while (end < eigenvalues.size() && eigenvalues[end] - eigenvalues[end - 1] < kSameEigenvalue) {
      ++end;
    }
    apply_pivot_rule(eigenvectors.middleCols(first, end - first), std::min(end, wanted) - first);
    first = end;
  }
}

void encode_component(const chem::Neighbours& neighbours, const Atoms& component, const Atoms& place,
                      LaplacianEncoding& encoding) {
  const Index wanted = std::min<Index>(kEigenpairs, static_cast<Index>(component.size()));
  Eigenpairs pairs = low_eigenspaces(laplacian(neighbours, component, place), wanted);
  fix_gauge(pairs.values, pairs.vectors, wanted);
  for (std::size_t i = 0; i < component.size(); ++i) {
    for (Index column = 0; column < wanted; ++column) {
      const std::size_t at = component[i] * kEigenpairs + static_cast<std::size_t>(column);
      encoding.eigenvectors[at] = static_cast<float>(pairs.vectors(static_cast<Index>(i), column));
      encoding.eigenvalues[at] = static_cast<float>(pairs.values[column]);
    }
  }
}

}  // namespace

LaplacianEncoding laplacian_encoding(const chem::Neighbours& neighbours) {
  const std::size_t atoms = neighbours.atom_count();
  LaplacianEncoding encoding{std::vector<float>(atoms * kEigenpairs),
                             std::vector<float>(atoms * kEigenpairs)};
  Atoms place(atoms, kUnseen), component;
  for (std::uint32_t atom = 0; atom < atoms; ++atom) {
    if (place[atom] == kUnseen) {
      collect_component(neighbours, atom, place, component);
      encode_component(neighbours, component, place, encoding);
    }
  }
  return encoding;
}

std::uint64_t laplacian_bytes(std::size_t atoms, std::size_t directed_edges) {
  const std::uint64_t places = 2 * atoms * sizeof(std::uint32_t);
  const std::uint64_t solved_whole = bytes_of_all_eigenpairs(std::min(atoms, kSolvedWhole));
  return places + (atoms > kSolvedWhole
                       ? std::max(solved_whole, lowest_eigenpairs_bytes(atoms, directed_edges))
                       : solved_whole);
}

}  // namespace molgauge::encoders::minimol
