#pragma once

#include <vector>

#include "models/pocket/force_field/force_field.h"

namespace headroom::pocket {

/// The bonds, angles and dihedrals of bonded atoms, and the Lennard-Jones tables of their types. Impropers
/// have the order of AMBER, with the centre third. Neighbours that a rule does not distinguish are sorted by
/// atom number. Throws InputError with the types of atoms that lack parameters. `types`: by atom. `bonded`:
/// for each atom, the atoms bonded to it.
void add_terms(const ForceField& field, const std::vector<const AtomType*>& types,
               const std::vector<std::vector<std::int64_t>>& bonded, Topology& topology);

}  // namespace headroom::pocket
