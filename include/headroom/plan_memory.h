#pragma once

#include <variant>

#include "headroom/baseline.h"
#include "headroom/domain.h"
#include "headroom/encode.h"
#include "headroom/train.h"

namespace headroom {

/// `headroom memory plan`: what a command would take, on the CPU, and what it would choose within its budget.
/// Steps are measured on made-up molecules; nothing is encoded or trained.
struct PlanMemoryRequest {
  /// What is to be planned: their files, encoder, weights, batches, head, budget and threads. The rest has no
  /// effect.
  std::variant<EncodeRequest, DomainRequest, TrainRequest, BaselineRequest> work;
};

}  // namespace headroom
