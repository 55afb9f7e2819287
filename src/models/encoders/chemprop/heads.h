#pragma once

#include "models/encoders/chemprop/model.h"
#include "numerics/ops/array.h"

namespace headroom::encoders::chemprop {

/// Turns the outputs of the last layer [molecules, tasks * targets] into predictions [molecules, tasks *
/// targets], as HeadKind describes them. Columns of a task stand side by side in the predictions. In the
/// outputs they do for classes; other heads have a block of all tasks for each target.
void apply_head(const Head& head, const ops::Floats& outputs, ops::Floats& predictions);

}  // namespace headroom::encoders::chemprop
