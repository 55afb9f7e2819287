#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "encoders/encoder.h"

namespace headroom::encoders::unimol {

// Tokens of the Uni-Mol dictionary by number.
inline constexpr std::int64_t kPadding = 0, kClass = 1, kSeparator = 2, kUnknown = 3, kTokens = 31;
/// Kinds of ordered pairs of tokens: first * kTokens + second.
inline constexpr std::int64_t kPairKinds = kTokens * kTokens;
/// Atoms that a molecule may have, those of the network's training.
inline constexpr std::size_t kMostAtoms = 256;

/// One molecule as the network takes it: n tokens, which are a class token, the atoms, a separator. The first
/// and the last stand at the centroid of the atoms.
struct Inputs : FeaturisedMolecule {
  std::vector<std::int64_t> tokens;  ///< [n]
  std::vector<float> distances;      ///< [n, n] in angstrom

  memory::ItemSize size() const override {
    return {.tokens = tokens.size(), .pairs = tokens.size() * tokens.size()};
  }
};

}  // namespace headroom::encoders::unimol
