#pragma once

#include <string>

#include "pockets/topology/topology.h"

/// Files of AMBER, according to the public description of their format (ambermd.org/FileFormats.php).
namespace molgauge::pocket {

/// Reads a topology (.prmtop, .parm7). Charges are divided by 18.2223. Elements come from ATOMIC_NUMBER or
/// from masses. Bonds, angles and dihedrals have their parameters, and terms with hydrogen come first. The
/// Lennard-Jones tables are also read.
///
/// Throws InputError with the file, the %FLAG and the reason for truncated files, sections whose length
/// contradicts POINTERS, invalid numbers, and missing atoms and types. Also throws InputError for topologies
/// of CHAMBER (CHARMM), of AMOEBA and from before AMBER 7, and for 10-12 pairs, because their energy has
/// another form.
Topology read_prmtop(const std::string& file);

}  // namespace molgauge::pocket
