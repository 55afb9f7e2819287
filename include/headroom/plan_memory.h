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

/// `headroom memory plan`: projects the memory of a command, and compares alternatives (execution strategies)
/// within a budget. It measures single steps with synthetic molecules. It neither encodes the input nor
/// trains.
struct PlanMemoryRequest {
  using Report = std::vector<MemoryPlan>;

  /// The request to plan. The plan depends on its files, encoder, weights, batches, head, budget and threads.
  /// All other fields have no effect.
  std::variant<EncodeRequest, DomainRequest, TrainRequest, BaselineRequest, PocketTrainRequest,
               PredictRequest>
      work;
  /// Only for an EncodeRequest: plan for another device, such as a GPU, that has this many bytes for the
  /// tensors of the encoder. If not set, the plan is for this computer.
  std::optional<std::uint64_t> capacity_bytes = {};
};

}  // namespace headroom
