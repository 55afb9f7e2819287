#pragma once

#include <optional>
#include <vector>

#include "pockets/force_field/force_field.h"
#include "pockets/structures/structure.h"

namespace molgauge::pocket {

/// A residue and its template.
struct TemplatedResidue {
  const StructureResidue* residue = nullptr;
  const ResidueTemplate* shape = nullptr;
  std::vector<std::optional<Position>>
      positions;  ///< position of each atom of the template; none for a hydrogen without coordinates
};

/// Consecutive residues that are bonded from O3' to P.
using Fragment = std::vector<TemplatedResidue>;

/// Divides RNA residues, in the order of their chains, into fragments, and finds the template of each
/// residue. The name of the template is the residue name (A, C, G or U, with synonyms such as ADE or RA for
/// A) with a suffix. The suffix is 5 at the beginning of a fragment, 3 at its end, and N for a single
/// residue. Other residues have no suffix.
///
/// The phosphate of the first residue of a fragment is left out. Hydrogens keep their coordinates if they
/// have the names of the template and are near the atoms that carry them. Throws InputError with the residue
/// if the residue has no template, has an atom that the template lacks, or lacks atoms. The first two errors
/// mean that the residue is modified.
std::vector<Fragment> find_fragments(const std::vector<const StructureResidue*>& residues,
                                     const ForceField& field);

}  // namespace molgauge::pocket
