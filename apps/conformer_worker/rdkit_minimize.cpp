// Replaces the minimiser of RDKit in this process. A definition in the program takes precedence over the
// definition in a library, even for calls inside the library, as with a custom malloc(). The reason:
// embedding and MMFF spend a quarter of their time in the matrix products of RDKit's minimiser. Our minimiser
// is faster and gives bit-identical results (molecules/chem/conformers/minimiser.h). If RDKit was built with
// static binding of its own calls, the replacement has no effect.

#include <ForceField/ForceField.h>

#include "molecules/chem/conformers/minimiser.h"

int ForceFields::ForceField::minimize(unsigned int most_steps, double flat, double /*RDKit ignores it*/) {
  return molgauge::chem::minimise(*this, most_steps, flat) ? 0 : 1;
}
