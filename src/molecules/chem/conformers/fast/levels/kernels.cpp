// The kernels of the level MOLGAUGE_LEVEL.

#include "molecules/chem/conformers/fast/levels/level.h"

namespace molgauge::chem::fast::MOLGAUGE_LEVEL {

extern const Kernels kKernels;
constinit const Kernels kKernels = {
    .spread = spread,
    .gather = gather,
    .limits_3d = limits_3d,
    .limits_4d = limits_4d,
    .springs = springs,
    .nonbonded = nonbonded,
    .bonds = bonds,
    .angles = angles,
    .planes = planes,
    .inversions = inversions,
    .torsions = torsions,
    .change_and_multiply = change_and_multiply,
    .dot = dot,
    .step = step,
    .largest_product = largest_product,
    .largest_ratio = largest_ratio,
    .smooth = smooth,
    .multiply = multiply,
};

}  // namespace molgauge::chem::fast::MOLGAUGE_LEVEL
