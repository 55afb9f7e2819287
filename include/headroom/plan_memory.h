#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "headroom/baseline.h"
#include "headroom/domain.h"
#include "headroom/encode.h"
#include "headroom/memory_plan.h"
#include "headroom/pocket_train.h"
#include "headroom/predict.h"
#include "headroom/train.h"

namespace headroom {

/// `headroom memory plan`: the memory that a command would take, and its alternatives within a budget. Steps
/// are measured with synthetic molecules. Nothing is encoded or trained.
struct PlanMemoryRequest {
  using Report = std::vector<MemoryPlan>;

  /// The request to plan. The plan uses its files, encoder, weights, batches, head, budget and threads. Other
  /// fields have no effect.
  std::variant<EncodeRequest, DomainRequest, TrainRequest, BaselineRequest, PocketTrainRequest,
               PredictRequest>
      work;
  /// Only with an EncodeRequest: plan for a device that has this many bytes for the tensors of the encoder,
  /// such as a GPU. None: plan for this computer.
  std::optional<std::uint64_t> capacity_bytes = {};
};

}  // namespace headroom
