#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

#include "headroom/encode.h"
#include "headroom/train.h"

namespace headroom {

/// `headroom memory plan`: what a command would take, on the CPU, and what would be chosen within a budget.
/// Steps are measured on made-up molecules; nothing is encoded or trained.
struct PlanMemoryRequest {
  /// What is to be planned: their files, encoder, weights, batch size and head. The rest has no effect.
  std::variant<EncodeRequest, TrainRequest> work;
  std::optional<std::uint64_t> budget_bytes;  ///< of the process's resident memory; none: what is free now
  std::size_t threads = 0;                    ///< 0: every processor this process may use
};

}  // namespace headroom
