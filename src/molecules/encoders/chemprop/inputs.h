#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "molecules/encoders/encoder.h"

namespace molgauge::encoders::chemprop {

/// Features of an atom: columns with the value 1, aromaticity, and mass.
struct AtomFeatures {
  static constexpr std::uint8_t kOnes = 6;

  std::array<std::uint8_t, kOnes> ones{};  ///< columns with the value 1. Unused elements repeat the first
                                           ///< column
  std::uint8_t aromatic = 0;
  std::uint8_t reserved = 0;  ///< always 0, so that equal features have equal bytes
  float mass = 0;             ///< input of the network: a hundredth of the mass in daltons
  bool operator==(const AtomFeatures&) const = default;
};

/// A bond and its features. `columns` has a bit for each column.
struct BondFeatures {
  std::uint32_t begin = 0, end = 0;  ///< atom numbers
  std::uint32_t columns = 0;         ///< bit i: column i is 1
};

/// One molecule as input of the network. Each bond stands for two directed edges.
struct Inputs : FeaturisedMolecule {
  std::vector<AtomFeatures> atoms;
  std::vector<BondFeatures> bonds;

  memory::ItemSize size() const override { return {.tokens = atoms.size(), .pairs = 2 * bonds.size()}; }
};

}  // namespace molgauge::encoders::chemprop
