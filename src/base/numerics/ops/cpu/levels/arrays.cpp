// The kernels of plain arrays of the level MOLGAUGE_LEVEL. This file is compiled once for each vector width,
// with the -m flags of the level.

#include "base/numerics/ops/cpu/kernels.h"
#include "base/numerics/ops/cpu/levels/attention.h"
#include "base/numerics/ops/cpu/levels/pairs.h"
#include "base/numerics/ops/cpu/levels/panels.h"
#include "base/numerics/ops/cpu/levels/rows.h"
#include "base/numerics/ops/cpu/levels/small_products.h"
#include "base/numerics/ops/cpu/levels/strided_product.h"

namespace molgauge::ops::cpu::MOLGAUGE_LEVEL {

static_assert(kLanes <= kMaxHeadsAtOnce);

extern const ArrayKernels kArrayKernels;
const ArrayKernels kArrayKernels = {.pair_attention = pair_attention,
                                    .gaussian_rows = gaussian_rows,
                                    .message_passing = message_passing,
                                    .preference_pairs = preference_pairs,
                                    .compare_panel = compare_panel,
                                    .strided_product = strided_product,
                                    .paired_product = paired_product,
                                    .rows_product = rows_product,
                                    .segment_sum = segment_sum,
                                    .segment_max = segment_max,
                                    .add_to_segments = add_to_segments};

}  // namespace molgauge::ops::cpu::MOLGAUGE_LEVEL
