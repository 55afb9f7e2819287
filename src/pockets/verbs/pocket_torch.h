#pragma once

#include <cstdint>
#include <vector>

#include "base/core/device.h"
#include "molgauge/memory_plan.h"
#include "molgauge/pocket_train.h"
#include "pockets/graphs/graph_set.h"
#include "pockets/network.h"
#include "pockets/pocket_encoder.h"

namespace molgauge::verbs {

/// What libmolgauge_torch.so does with pockets: torch_part<PocketTorch>().
class PocketTorch {
 public:
  virtual ~PocketTorch() = default;

  virtual PocketTrainReport train(const PocketTrainRequest& request) = 0;
  virtual std::vector<MemoryPlan> plan_memory(const PocketTrainRequest& request) = 0;
  /// Makes the encoder of RNA pockets, which uses the operators of LibTorch. It runs on a GPU, or on the CPU
  /// to plan GPU memory.
  virtual pocket::PocketEncoder make_encoder(const pocket::EncoderShape& shape,
                                             const pocket::ParameterReader& parameters,
                                             Device device) const = 0;
  /// Whether this build has the kernels that pocket encoders need on a GPU.
  virtual bool has_kernels() const = 0;
  /// GPU bytes for encoding a pocket, in addition to the bytes that a plan on the CPU contains.
  virtual std::uint64_t device_bytes(const pocket::GraphCounts& counts) const = 0;
};

/// The object of torch_part<PocketTorch>(). Only in libmolgauge_torch.so.
PocketTorch& pocket_torch();
/// Runs `molgauge pocket train`. Only in libmolgauge_torch.so.
PocketTrainReport train_pockets(const PocketTrainRequest& request);

}  // namespace molgauge::verbs
