#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "molecules/chem/description.h"
#include "molecules/judging/environment_lists.h"

namespace molgauge::domain {

/// Smallest and largest value in a training set.
struct Range {
  double low = 0, high = 0;
};

/// The parts of a molecule that no training molecule has, and the properties that are outside the range of
/// the training molecules.
struct ForeignParts {
  /// Atoms that occur in no training molecule with the same neighbours, ascending. Numbered in the atom order
  /// of the record.
  std::vector<std::uint16_t> atoms;
  std::vector<std::string> elements;  ///< symbols
  std::vector<std::string> rings;     ///< chem::Description::rings
  /// Texts such as "61 heavy atoms (training: 9 to 38)". Empty if the property is within the range.
  std::string size, log_p, charge;
  bool scaffold_seen = true;

  bool none() const {
    return atoms.empty() && elements.empty() && rings.empty() && size.empty() && log_p.empty() &&
           charge.empty();
  }
};

/// The elements, rings, scaffolds, environments and value ranges of the training molecules.
class KnownParts {
 public:
  /// Adds all parts of a molecule except its environments. add_environments() adds the environments of all
  /// molecules.
  void add(const chem::Description& molecule);
  void add_environments(const EnvironmentLists& environments);

  ForeignParts foreign(const chem::Description& molecule) const;

  // These members are public, because save_domain() and load_domain() access them.
  std::set<std::uint8_t> elements;
  std::set<std::string> rings, scaffolds;
  Range heavy_atoms, log_p, charge;
  std::size_t molecules = 0;

 private:
  std::unordered_set<std::uint32_t> environments_;
};

}  // namespace molgauge::domain
