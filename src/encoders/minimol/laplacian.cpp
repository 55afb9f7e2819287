#include "encoders/minimol/laplacian.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Core>
#include <Eigen/Eigenvalues>

#include "core/error.h"
#include "encoders/minimol/inputs.h"

namespace headroom::encoders::minimol {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Atoms = std::vector<std::uint32_t>;

/// Eigenvalues closer than this are one repeated eigenvalue. Molecules' distinct ones differ by 1e-3 or more,
/// repeated ones come out equal to 5e-15.
constexpr double kSameEigenvalue = 1e-6;
/// Rows of nearly the greatest length count as equal, so that rounding does not choose the pivot.
constexpr double kLongestRow = 1.0 - 1e-6;

constexpr std::uint32_t kUnseen = ~std::uint32_t{0};

/// Puts the unseen atoms that can be reached from `start` into `component`, ascending, and their places in it
/// into `place`.
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

MatrixXd laplacian(const chem::Neighbours& neighbours, const Atoms& component, const Atoms& place) {
  const auto size = static_cast<Index>(component.size());
  MatrixXd matrix = MatrixXd::Zero(size, size);
  for (Index i = 0; i < size; ++i) {
    const std::uint32_t atom = component[static_cast<std::size_t>(i)];
    matrix(i, i) = static_cast<double>(neighbours.degree(atom));
    for (const std::uint32_t neighbour : neighbours.of(atom)) {
      matrix(i, place[neighbour]) = -1.0;
    }
  }
  return matrix;
}

/// Replaces the first `wanted` columns of an eigenspace's basis by those of the pivot rule.
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

/// The same for every eigenspace that has one of the first `wanted` eigenvalues.
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
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(laplacian(neighbours, component, place));
  if (solver.info() != Eigen::Success) {
    throw Error("the eigenvalues of a molecule's Laplacian did not converge");
  }
  const Index wanted = std::min<Index>(kEigenpairs, solver.eigenvalues().size());
  MatrixXd eigenvectors = solver.eigenvectors();
  fix_gauge(solver.eigenvalues(), eigenvectors, wanted);
  for (std::size_t i = 0; i < component.size(); ++i) {
    for (Index column = 0; column < wanted; ++column) {
      const std::size_t at = component[i] * kEigenpairs + static_cast<std::size_t>(column);
      encoding.eigenvectors[at] = static_cast<float>(eigenvectors(static_cast<Index>(i), column));
      encoding.eigenvalues[at] = static_cast<float>(solver.eigenvalues()[column]);
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

std::uint64_t laplacian_bytes(std::size_t atoms, std::size_t /*edges*/) {
  constexpr std::uint64_t matrices = 4, vectors = 64;
  return (matrices * atoms + vectors) * atoms * sizeof(double);
}

}  // namespace headroom::encoders::minimol
