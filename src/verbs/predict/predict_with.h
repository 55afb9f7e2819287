#pragma once

#include <vector>

#include "headroom/memory_plan.h"
#include "headroom/predict.h"
#include "models/encoders/chemprop/ensemble.h"

namespace headroom::verbs {

/// Does the same as `headroom predict`, with models that were already read. Ignores `request.model`.
PredictReport predict_with(const PredictRequest& request, const encoders::chemprop::ModelSet& set);

/// The plans of predict_with(): predicting the molecules, and predicting other spellings of chiral molecules
/// if the request asks for them. `which`: the end of the name of the work, such as ", the candidates".
std::vector<MemoryPlan> plan_predict_with(const PredictRequest& request,
                                          const encoders::chemprop::ModelSet& set, const char* which);

}  // namespace headroom::verbs
