#pragma once

#include "base/numerics/ops/array.h"

/// Small operators between the layers of a network. Each number is computed in a fixed order and does not
/// depend on other numbers.
namespace molgauge::ops {

/// a + b for equal shapes.
Floats add(const Floats& a, const Floats& b);
/// factor * x.
Floats scale(const Floats& x, float factor);
/// Multiplies each row of x [n, d] by its factor [n, 1].
Floats scale_rows(const Floats& x, const Floats& factors);
/// Concatenates rows: a [n, p] and b [n, q] -> [n, p + q].
Floats join_columns(const Floats& a, const Floats& b);
/// Interleaves a and b [n, m] -> [n, m, 2].
Floats pair_up(const Floats& a, const Floats& b);
/// The mean over the second axis, summed in order: [n, m, d] -> [n, d].
Floats mean_over_second(const Floats& x);
/// Selects rows of a table [k, d] by their indices [n] -> [n, d]. The indices are not checked.
Floats select_rows(const Floats& table, const Integers& numbers);

}  // namespace molgauge::ops
