#pragma once

#include <string>

#include "models/pocket/topology/topology.h"

/// AMBER's files, by the public description of their format (ambermd.org/FileFormats.php).
namespace headroom::pocket {

/// Reads a topology (.prmtop, .parm7): charges divided by 18.2223, elements from ATOMIC_NUMBER, else from
/// masses, bonds, angles and dihedrals with their parameters, terms with hydrogen first, and Lennard-Jones
/// tables. Throws InputError with the file, the %FLAG and the reason: truncated files, sections whose length
/// contradicts POINTERS, invalid numbers, atoms and types that do not exist, topologies of CHAMBER (CHARMM),
/// of AMOEBA and before AMBER 7, and 10-12 pairs, whose energy has another form.
Topology read_prmtop(const std::string& file);

}  // namespace headroom::pocket
