#pragma once

#include "models/encoders/chemprop/model.h"
#include "numerics/ops/array.h"

namespace headroom::encoders::chemprop {

/// Turns the outputs of the last layer into predictions, as HeadKind describes them. Both are [molecules,
/// tasks * targets]. In the predictions, the columns of a task are adjacent. In the outputs they are adjacent
/// only for classes. Other heads have a block of all tasks for each target.
void apply_head(const Head& head, const ops::Floats& outputs, ops::Floats& predictions);

}  // namespace headroom::encoders::chemprop
