#pragma once

#include <optional>
#include <vector>

#include "models/pocket/force_field/force_field.h"
#include "models/pocket/structures/structure.h"

namespace headroom::pocket {

/// A residue with the template that it is an example of.
struct TemplatedResidue {
  const StructureResidue* residue = nullptr;
  const ResidueTemplate* shape = nullptr;
  std::vector<std::optional<Position>>
      positions;  ///< by atom of the template; none: a hydrogen without a place
};

/// Residues that are bonded one behind the other, from O3' to P.
using Fragment = std::vector<TemplatedResidue>;

/// Cuts residues of RNA, in the order of their chains, into fragments, and finds the template of each: that
/// of its name (A, C, G, U, and ADE or RA for A and the like), with 5 behind it at the beginning of a
/// fragment, 3 at its end, N where it is alone. The phosphate of the first residue of a fragment is left out.
/// Hydrogens keep their places where they have the template's names and are near the atoms that carry them.
/// Throws InputError naming the residue: a modified one, which has no template or an atom that its template
/// lacks; one that lacks atoms.
std::vector<Fragment> find_fragments(const std::vector<const StructureResidue*>& residues,
                                     const ForceField& field);

}  // namespace headroom::pocket
