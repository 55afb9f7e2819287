#pragma once

#include <vector>

#include "models/pocket/force_field/force_field.h"

namespace headroom::pocket {

/// The bonds, angles and dihedrals of bonded atoms, and the Lennard-Jones tables of their types. Impropers
/// are put in AMBER's order: of the three neighbours of a centre, those that a rule does not tell apart stand
/// by rising numbers of the atoms, and the centre stands third. Throws InputError naming the types of atoms
/// without parameters. `types`: by atom. `bonded`: the atoms that each is bonded to.
void add_terms(const ForceField& field, const std::vector<const AtomType*>& types,
               const std::vector<std::vector<std::int64_t>>& bonded, Topology& topology);

}  // namespace headroom::pocket
