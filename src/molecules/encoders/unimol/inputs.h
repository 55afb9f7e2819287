#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "molecules/encoders/encoder.h"

namespace molgauge::encoders::unimol {

// Tokens of the Uni-Mol dictionary by number.
inline constexpr std::int64_t kPadding = 0, kClass = 1, kSeparator = 2, kUnknown = 3, kTokens = 31;
/// Number of kinds of ordered token pairs.
inline constexpr std::int64_t kPairKinds = kTokens * kTokens;
constexpr std::int64_t pair_kind(std::int64_t first, std::int64_t second) { return first * kTokens + second; }
/// The default maximum number of atoms of a molecule, as in the training of the network. From a larger
/// molecule, this number of atoms is drawn with the seed kCropSeed.
inline constexpr std::size_t kMaxAtoms = 256;
inline constexpr std::uint64_t kCropSeed = 42;

/// The input of one molecule: n tokens, which are a class token, the atoms and a separator. The first and the
/// last token are at the centroid of the atoms.
struct Inputs : FeaturisedMolecule {
  std::vector<std::int64_t> tokens;  ///< [n]
  std::vector<float> distances;      ///< [n, n] in angstrom
  std::size_t left_out = 0;          ///< atoms of the molecule that were not drawn
  bool is_made_up = false;           ///< a synthetic molecule, only to measure memory

  std::size_t atoms_left_out() const override { return left_out; }
  memory::ItemSize size() const override {
    return {.tokens = tokens.size(), .pairs = tokens.size() * tokens.size()};
  }
};

}  // namespace molgauge::encoders::unimol
