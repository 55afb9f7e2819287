#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "molecules/chem/description.h"

namespace molgauge::domain {

/// The properties of a molecule that are compared with the range of the training set.
struct MoleculeProperties {
  static constexpr std::size_t kNumbers = 3, kElements = 128;
  std::array<float, kNumbers> numbers{};  ///< heavy atoms, log P (Wildman and Crippen), charge
  std::bitset<kElements> elements;        ///< atomic numbers without hydrogen
};

MoleculeProperties properties_of(const chem::Description& molecule);

/// How rare the most unusual property of a molecule is.
struct PropertySurprise {
  enum class Property : std::uint8_t { heavy_atoms, log_p, charge, element };
  float value = 0;  ///< -ln p of the property. 0 means common
  Property property = Property::heavy_atoms;
  std::uint8_t element = 0;  ///< the rarest element, if the property is `element`
};

/// The distribution of heavy atoms, log P, charge and elements in a training set.
///
/// A number x of a molecule has p = min(1, 2 min(a, b)), where a is (1 + #{training molecules with at least
/// x}) / (n + 1) and b is (1 + #{training molecules with at most x}) / (n + 1). Outside the range of the
/// training set, -ln p grows further by the distance to the range divided by the mean excess of the largest
/// or smallest tenth, but at least of 20 molecules. An element has p = (1 + #{training molecules with it}) /
/// (n + 1). The surprise of a molecule is the largest -ln p of its numbers and elements.
class PropertyRanges {
 public:
  PropertyRanges() = default;
  explicit PropertyRanges(std::span<const MoleculeProperties> training);

  /// `is_member`: the molecule is one of the training molecules, and is left out.
  PropertySurprise surprise(const MoleculeProperties& molecule, bool is_member) const;

  /// Returns a text such as "69 heavy atoms (0.12 % of the training molecules have as many)".
  std::string words(const MoleculeProperties& molecule, const PropertySurprise& surprise) const;

 private:
  struct Numbers {
    std::vector<float> sorted;
    double low_excess = 1, high_excess = 1;
  };
  double surprise_of(const Numbers& numbers, float value, bool is_member) const;

  std::size_t molecules_ = 0;
  std::array<Numbers, MoleculeProperties::kNumbers> numbers_;
  std::array<std::uint32_t, MoleculeProperties::kElements> with_element_{};
};

}  // namespace molgauge::domain
