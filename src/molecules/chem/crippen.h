#pragma once

#include <GraphMol/ROMol.h>

namespace molgauge::chem {

/// Returns the octanol-water partition coefficient of Wildman and Crippen (1999, DOI 10.1021/ci990307l), with
/// RDKit's patterns and contributions, hydrogens included. The value equals
/// RDKit::Descriptors::calcCrippenDescriptors, which searches the whole molecule for each pattern. This
/// function looks for a pattern only at atoms that have no contribution yet. No pattern is recursive.
double crippen_log_p(const RDKit::ROMol& molecule);

}  // namespace molgauge::chem
