#pragma once

#include "numerics/ops/array.h"

/// Small operators between the layers of a network. Every number is computed in one order, independently of
/// the numbers beside it.
namespace headroom::ops {

/// a + b; equal shapes.
Floats add(const Floats& a, const Floats& b);
/// factor * x.
Floats scale(const Floats& x, float factor);
/// Each row of x [n, d] times its factor [n, 1].
Floats scale_rows(const Floats& x, const Floats& factors);
/// [a b]: rows of a [n, p] followed by those of b [n, q].
Floats join_columns(const Floats& a, const Floats& b);
/// The numbers of a and b [n, m] in pairs: [n, m, 2].
Floats pair_up(const Floats& a, const Floats& b);
/// The mean over the second of three axes, added up in its order: [n, m, d] -> [n, d].
Floats mean_over_second(const Floats& x);
/// Rows of a table [k, d] by their indices [n]: [n, d]. The indices are not checked.
Floats select_rows(const Floats& table, const Integers& numbers);

}  // namespace headroom::ops
