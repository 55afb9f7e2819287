// RDKit's minimiser in this process: the linker takes a program's own definition of a library's function
// before the library's, also for calls from within RDKit, as with a program's own malloc(). Embedding and
// MMFF spend a quarter of their time in the matrix products of RDKit's definition; this one gives the same
// bits (chem/conformers/minimiser.h). A build of RDKit that does not look for other definitions keeps its
// own.

#include <ForceField/ForceField.h>

#include "chem/conformers/minimiser.h"

int ForceFields::ForceField::minimize(unsigned int most_steps, double flat, double /*RDKit ignores it*/) {
  return headroom::chem::minimise(*this, most_steps, flat) ? 0 : 1;
}
