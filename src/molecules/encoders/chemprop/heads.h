#pragma once

#include "base/numerics/ops/array.h"
#include "molecules/encoders/chemprop/model.h"

namespace molgauge::encoders::chemprop {

/// Turns the outputs of the last layer into predictions, as HeadKind describes them. Outputs and predictions
/// are [molecules, tasks * targets]. In the predictions, the columns of a task are adjacent. If the head
/// predicts classes, they are adjacent in the outputs as well. The outputs of other heads have one block for
/// each target, and each block contains all tasks.
void apply_head(const Head& head, const ops::Floats& outputs, ops::Floats& predictions);

}  // namespace molgauge::encoders::chemprop
