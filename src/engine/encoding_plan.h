#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "encoders/encoder.h"
#include "headroom/memory_plan.h"
#include "memory/batch_load.h"

namespace headroom::verbs {

/// What encoding may take.
struct EncodingBudget {
  std::uint64_t tensor_bytes = 0;   ///< for parameters and what all workers make of batches
  std::uint64_t outside_bytes = 0;  ///< tensors that live already and are no part of it (not the parameters)
  std::size_t workers = 1;          ///< that encode batches side by side
};

/// Plans the batches of one worker for molecules of these sizes, at least one. The budget of the plan is one
/// worker's: the parameters and its share of the rest. Runs a few batches of made-up molecules; nobody else
/// makes tensors meanwhile.
MemoryPlan plan_encoding(const encoders::Encoder& encoder, const EncodingBudget& budget,
                         std::span<const memory::ItemSize> molecules);

}  // namespace headroom::verbs
