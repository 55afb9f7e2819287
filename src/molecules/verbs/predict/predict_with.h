#pragma once

#include <cstdint>
#include <vector>

#include "base/runtime/budget_scope.h"
#include "molecules/encoders/chemprop/ensemble.h"
#include "molgauge/memory_plan.h"
#include "molgauge/predict.h"

namespace molgauge::verbs {

/// Work that the caller does after predict_with(). Its memory is checked before the first prediction.
struct LaterWork {
  std::vector<PredictRequest> predictions;  ///< calls of predict_with() with the same models
  std::vector<runtime::MemoryRequirement> needs;
  std::uint64_t bytes_left = 0;  ///< bytes that stay in use after the first prediction
};

/// Does the same as `molgauge predict`, with models that were already read. Ignores `request.model`.
/// `marks_parents`: whether the last column of the output marks rows whose parent has another prediction. Has
/// no effect if the request standardises the molecules.
PredictReport predict_with(const PredictRequest& request, const encoders::chemprop::ModelSet& set,
                           bool marks_parents, const LaterWork& later = {});

/// Returns the plans of predict_with(). The first plan is for the molecules. If they are predicted, other
/// spellings of chiral molecules and the parents of drawings have further plans. `which`: text that is
/// appended to the name of the work, such as ", the candidates".
std::vector<MemoryPlan> plan_predict_with(const PredictRequest& request,
                                          const encoders::chemprop::ModelSet& set, bool marks_parents,
                                          const char* which);

}  // namespace molgauge::verbs
