#pragma once

#include <cstddef>

#include "base/runtime/budget_scope.h"
#include "base/runtime/failure_log.h"
#include "molecules/encoding/session/encoding_session.h"
#include "molgauge/domain.h"

namespace molgauge::verbs {

class ModelPredictions;

/// The objects that all steps of a call of `molgauge domain` share. They live until the call ends.
struct DomainWork {
  const DomainRequest& request;
  const ModelPredictions* predicted;  ///< the predictions of the request's chemprop model, or null
  std::size_t threads;
  runtime::BudgetScope& memory;
  session::EncodingSession& encoding;
  pipeline::FailureLog& failed;
};

}  // namespace molgauge::verbs
