#pragma once

#include <cstdint>
#include <string>

#include "data/io/tensors/tensor_data.h"
#include "models/train/schedule.h"

namespace headroom::train {

/// Names of Adam's moments in a checkpoint, to which the name of the parameter is added.
inline constexpr const char* kMeanPrefix = "optimizer.exp_avg.";
inline constexpr const char* kSquareMeanPrefix = "optimizer.exp_avg_sq.";

/// Changes the parameters of a model, which it keeps, along their gradients.
class Optimizer {
 public:
  virtual ~Optimizer() = default;

  /// One step, each group at the present rate of its schedule. Takes all memory that it needs before it
  /// changes a number: when it throws for lack of memory, no number has changed.
  virtual void step(const Clock& clock) = 0;

  /// Bytes of its moments.
  virtual std::uint64_t state_bytes() const = 0;

  // For trainings with checkpoints. Other optimisers throw Error.

  /// Adds its moments, as "optimizer.MOMENT.NAME", float32.
  virtual void save(io::TensorMap& tensors) const;
  /// Continues from the state that was saved after this many steps. Throws InputError naming `source` when a
  /// tensor is missing or does not fit.
  virtual void restore(const io::TensorMap& tensors, std::int64_t steps, const std::string& source);
};

}  // namespace headroom::train
