#pragma once

#include <string>

#include "models/pocket/topology/topology.h"

/// Files of AMBER, according to the public description of their format (ambermd.org/FileFormats.php).
namespace headroom::pocket {

/// Reads a topology (.prmtop, .parm7): charges divided by 18.2223, elements from ATOMIC_NUMBER or from
/// masses, bonds, angles and dihedrals with their parameters (terms with hydrogen first), and Lennard-Jones
/// tables. Throws InputError with the file, the %FLAG and the reason for truncated files, sections whose
/// length contradicts POINTERS, invalid numbers, and missing atoms and types. Also throws it for topologies
/// of CHAMBER (CHARMM), of AMOEBA and from before AMBER 7, and for 10-12 pairs, because their energy has
/// another form.
Topology read_prmtop(const std::string& file);

}  // namespace headroom::pocket
