#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "molecules/encoders/encoder.h"

namespace molgauge::encoders::minimol {

inline constexpr std::size_t kAtomFeatures = 85;
inline constexpr std::size_t kBondFeatures = 13;
inline constexpr std::size_t kEigenpairs = 8;
inline constexpr std::size_t kWalkSteps = 16;

/// The input for one molecule: n atoms in canonical order, m bonds and 2m directed edges. Bond k is edges 2k
/// (begin to end) and 2k + 1 (end to begin).
///
/// All matrices are row-major. Every number is finite and rounded to IEEE half precision (to nearest even),
/// as in the training of the network.
struct Inputs : FeaturisedMolecule {
  std::size_t atoms = 0;                  ///< n, at least 1
  std::vector<float> feat;                ///< [n, kAtomFeatures]
  std::vector<float> edge_feat;           ///< [2m, kBondFeatures]
  std::vector<std::int64_t> edge_source;  ///< [2m] atom numbers
  std::vector<std::int64_t> edge_target;  ///< [2m] atom numbers
  std::vector<float> laplacian_eigvec;    ///< [n, kEigenpairs]. Missing eigenpairs are zero
  std::vector<float> laplacian_eigval;    ///< [n, kEigenpairs]. Missing eigenpairs are zero
  std::vector<float> rw_return_probs;     ///< [n, kWalkSteps]

  std::size_t edge_count() const { return edge_source.size(); }
  memory::ItemSize size() const override { return {.tokens = atoms, .pairs = edge_count()}; }
};

}  // namespace molgauge::encoders::minimol
