#pragma once

#include <variant>

#include "headroom/baseline.h"
#include "headroom/domain.h"
#include "headroom/encode.h"
#include "headroom/train.h"

namespace headroom {

/// `headroom memory plan`: the memory that a command would take on the CPU, and its choices within a budget.
/// Steps are measured on made-up molecules; nothing is encoded or trained.
struct PlanMemoryRequest {
  /// The request to plan. Its files, encoder, weights, batches, head, budget and threads are used; its other
  /// fields have no effect.
  std::variant<EncodeRequest, DomainRequest, TrainRequest, BaselineRequest> work;
};

}  // namespace headroom
