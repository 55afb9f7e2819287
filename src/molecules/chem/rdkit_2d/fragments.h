#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <GraphMol/ROMol.h>

#include "molecules/chem/rdkit_2d/sets.h"

namespace molgauge::chem::rdkit_2d {

/// Returns the names of the fragment counts (fr_*), ascending.
std::vector<std::string> fragment_names();

/// The substructures of the fragment counts. The SMARTS are the ones in FragmentDescriptors.csv of RDKit (BSD
/// licence). The patterns of fr_prisulfonamd and fr_unbrch_alkane depend on the version of RDKit.
class FragmentPatterns {
 public:
  FragmentPatterns();

  /// Returns the number of distinct matches of each fragment, in the order of fragment_names().
  std::vector<double> counts(const RDKit::ROMol& molecule, Set set) const;

 private:
  struct Pattern {
    std::unique_ptr<RDKit::ROMol> early, late;  ///< `late` is null if all versions use the same pattern
    Set first_late = Set::rdkit_2024_09;        ///< first list that uses `late`
  };

  std::vector<Pattern> patterns_;
};

}  // namespace molgauge::chem::rdkit_2d
