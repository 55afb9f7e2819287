#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "molgauge/baseline.h"
#include "molgauge/domain.h"
#include "molgauge/encode.h"
#include "molgauge/memory_plan.h"
#include "molgauge/pocket_train.h"
#include "molgauge/predict.h"
#include "molgauge/train.h"

namespace molgauge {

/// `molgauge memory plan`: projects the memory of a command, and compares alternatives (execution strategies)
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

}  // namespace molgauge
