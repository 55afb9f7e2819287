#pragma once

#include <GraphMol/ROMol.h>

namespace headroom::chem {

/// The octanol-water partition coefficient of Wildman and Crippen (1999, DOI 10.1021/ci990307l), with RDKit's
/// patterns and contributions, hydrogens included. Equal to RDKit::Descriptors::calcCrippenDescriptors, which
/// searches each pattern in the whole molecule. This function leaves out the patterns whose first atom
/// matches no atom that still needs a contribution. This is correct because no pattern begins with a
/// recursive expression. RDKit finds the matches of such expressions only during a search.
double crippen_log_p(const RDKit::ROMol& molecule);

}  // namespace headroom::chem
