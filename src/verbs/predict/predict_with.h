#pragma once

#include <vector>

#include "headroom/memory_plan.h"
#include "headroom/predict.h"
#include "models/encoders/chemprop/ensemble.h"

namespace headroom::verbs {

/// Does the same as `headroom predict`, with models that were already read. Ignores `request.model`.
PredictReport predict_with(const PredictRequest& request, const encoders::chemprop::ModelSet& set);

/// Returns the plans of predict_with(). The first plan is for the molecules. If the request asks for them, a
/// second plan is for other spellings of chiral molecules. `which`: text that is appended to the name of the
/// work, such as ", the candidates".
std::vector<MemoryPlan> plan_predict_with(const PredictRequest& request,
                                          const encoders::chemprop::ModelSet& set, const char* which);

}  // namespace headroom::verbs
