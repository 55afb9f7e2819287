// Replaces the minimiser of RDKit in this process. A definition in the program takes precedence over the
// definition in a library, even for calls inside the library, like a custom malloc(). Embedding and MMFF
// spend a quarter of their time in the matrix products of the original. This one gives the same bits
// (chem/conformers/minimiser.h). A build of RDKit that binds its own calls statically keeps its own
// minimiser.

#include <ForceField/ForceField.h>

#include "chem/conformers/minimiser.h"

int ForceFields::ForceField::minimize(unsigned int most_steps, double flat, double /*RDKit ignores it*/) {
  return headroom::chem::minimise(*this, most_steps, flat) ? 0 : 1;
}
