#pragma once

#include "memory/plan/step_model.h"
#include "train/frugality.h"
#include "train/pass_memory.h"
#include "train/step.h"

namespace headroom::train {

/// How the steps over batches of so many rows are run with these savings, and in the way that the planner
/// chose: as much at once as they allow. Where they leave no choice, nothing is made smaller when memory runs
/// out. Clipping, phases and the sum over processes are left as they are by default.
StepOptions step_options(const PassRows& rows, const Frugality& frugality, const memory::StepSettings& way);

}  // namespace headroom::train
