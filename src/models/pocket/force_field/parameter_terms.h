#pragma once

#include <vector>

#include "models/pocket/force_field/force_field.h"

namespace headroom::pocket {

/// The bonds, angles and dihedrals of bonded atoms, and the Lennard-Jones tables of their types. Impropers
/// have the order of AMBER. The centre is third. Neighbours that a rule does not distinguish are sorted by
/// atom number. Throws InputError naming the types of atoms without parameters. `types`: by atom. `bonded`:
/// the atoms that each is bonded to.
void add_terms(const ForceField& field, const std::vector<const AtomType*>& types,
               const std::vector<std::vector<std::int64_t>>& bonded, Topology& topology);

}  // namespace headroom::pocket
