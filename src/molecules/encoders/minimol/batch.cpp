#include "molecules/encoders/minimol/batch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace molgauge::encoders::minimol {
namespace {

using Molecules = std::span<const Inputs* const>;
using EdgeFeatures = std::array<float, kBondFeatures>;

std::int64_t signed_size(std::size_t size) { return static_cast<std::int64_t>(size); }

/// Concatenates the rows of one array of all molecules.
ops::Floats concatenate(Molecules molecules, std::vector<float> Inputs::*array, std::size_t rows,
                        std::size_t width) {
  ops::Floats all{signed_size(rows), signed_size(width)};
  float* out = all.data();
  for (const Inputs* molecule : molecules) {
    const std::vector<float>& numbers = molecule->*array;
    if (numbers.size() != molecule->atoms * width) {
      throw std::invalid_argument("a molecule's features do not fit its number of atoms");
    }
    out = std::copy(numbers.begin(), numbers.end(), out);
  }
  return all;
}

/// Numbers the distinct rows of features in the order of their appearance.
class EdgeKinds {
 public:
  std::int64_t number_of(const float* features) {
    EdgeFeatures row;
    std::copy_n(features, row.size(), row.begin());
    const auto [kind, is_new] = numbers_.emplace(row, signed_size(numbers_.size()));
    if (is_new) {
      rows_.insert(rows_.end(), row.begin(), row.end());
    }
    return kind->second;
  }

  ops::Floats rows() const {
    ops::Floats rows{signed_size(numbers_.size()), signed_size(kBondFeatures)};
    std::copy(rows_.begin(), rows_.end(), rows.data());
    return rows;
  }

 private:
  std::map<EdgeFeatures, std::int64_t> numbers_;
  std::vector<float> rows_;
};

void check_edges(const Inputs& molecule) {
  const auto is_atom = [&](std::int64_t atom) { return atom >= 0 && atom < signed_size(molecule.atoms); };
  if (molecule.edge_target.size() != molecule.edge_count() ||
      molecule.edge_feat.size() != molecule.edge_count() * kBondFeatures ||
      !std::all_of(molecule.edge_source.begin(), molecule.edge_source.end(), is_atom) ||
      !std::all_of(molecule.edge_target.begin(), molecule.edge_target.end(), is_atom)) {
    throw std::invalid_argument("a molecule's edges do not fit its atoms");
  }
}

/// first[t] of ops::Edges: the number of edges into the atoms before t.
ops::Integers count_edges(Molecules molecules, std::size_t atoms) {
  auto first = ops::Integers::zeros({signed_size(atoms) + 1});
  std::int64_t* count = first.data() + 1;
  for (const Inputs* molecule : molecules) {
    for (const std::int64_t target : molecule->edge_target) {
      ++count[target];
    }
    count += molecule->atoms;
  }
  std::partial_sum(first.data(), first.data() + first.count(), first.data());
  return first;
}

/// Sorts edges by target (counting sort). Edges into the same atom keep their order.
ops::Edges sort_edges(Molecules molecules, std::size_t atoms, EdgeKinds& kinds) {
  ops::Edges edges;
  edges.first = count_edges(molecules, atoms);
  const std::int64_t* const first = edges.first.data();
  edges.source = ops::Integers{first[atoms]};
  edges.target = ops::Integers{first[atoms]};
  edges.kind = ops::Integers{first[atoms]};

  std::vector<std::int64_t> next(first, first + atoms);
  std::int64_t offset = 0;
  for (const Inputs* molecule : molecules) {
    for (std::size_t edge = 0; edge < molecule->edge_count(); ++edge) {
      const std::int64_t atom = offset + molecule->edge_target[edge];
      const std::int64_t place = next[static_cast<std::size_t>(atom)]++;
      edges.target.data()[place] = atom;
      edges.source.data()[place] = offset + molecule->edge_source[edge];
      edges.kind.data()[place] = kinds.number_of(molecule->edge_feat.data() + edge * kBondFeatures);
    }
    offset += signed_size(molecule->atoms);
  }
  return edges;
}

ops::Floats pool_factors(const std::vector<std::int64_t>& sizes) {
  ops::Floats factors{signed_size(sizes.size()), 1};
  std::transform(sizes.begin(), sizes.end(), factors.data(), [](std::int64_t atoms) {
    const auto size = static_cast<float>(atoms);
    return std::log(size) / size;
  });
  return factors;
}

}  // namespace

Batch pack(Molecules molecules) {
  std::size_t atoms = 0;
  std::vector<std::int64_t> sizes;
  for (const Inputs* molecule : molecules) {
    check_edges(*molecule);
    atoms += molecule->atoms;
    sizes.push_back(signed_size(molecule->atoms));
  }
  EdgeKinds kinds;
  Batch batch;
  batch.feat = concatenate(molecules, &Inputs::feat, atoms, kAtomFeatures);
  batch.laplacian_eigval = concatenate(molecules, &Inputs::laplacian_eigval, atoms, kEigenpairs);
  batch.laplacian_eigvec = concatenate(molecules, &Inputs::laplacian_eigvec, atoms, kEigenpairs);
  batch.rw_return_probs = concatenate(molecules, &Inputs::rw_return_probs, atoms, kWalkSteps);
  batch.edges = sort_edges(molecules, atoms, kinds);
  batch.edge_kinds = kinds.rows();
  batch.molecules = ops::make_segments(sizes);
  batch.pool_factor = pool_factors(sizes);
  return batch;
}

}  // namespace molgauge::encoders::minimol
