#pragma once

#include <vector>

#include "pockets/force_field/force_field.h"

namespace molgauge::pocket {

/// Adds the bonds, angles, dihedrals and Lennard-Jones tables of bonded atoms to `topology`. Impropers have
/// the order of AMBER, with the central atom third. Neighbours that a rule does not distinguish are sorted by
/// atom number. Throws InputError with the types of atoms that lack parameters. `types`: the type of each
/// atom. `bonded`: for each atom, the atoms that are bonded to it.
void add_terms(const ForceField& field, const std::vector<const AtomType*>& types,
               const std::vector<std::vector<std::int64_t>>& bonded, Topology& topology);

}  // namespace molgauge::pocket
