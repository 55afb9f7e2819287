#pragma once

#include <cstdint>
#include <string>

#include "base/io/tensors/tensor_data.h"
#include "base/train/schedule.h"

namespace molgauge::train {

/// Names of the moments of Adam in a checkpoint. The name of the parameter is appended.
inline constexpr const char* kMeanPrefix = "optimizer.exp_avg.";
inline constexpr const char* kSquareMeanPrefix = "optimizer.exp_avg_sq.";

/// Updates the parameters of a model with their gradients. The optimizer shares ownership of the parameters.
class Optimizer {
 public:
  virtual ~Optimizer() = default;

  /// Does one step. The learning rate of each group follows its schedule. All memory is allocated before a
  /// number changes, so an out-of-memory error changes nothing.
  virtual void step(const Clock& clock) = 0;

  /// Bytes of the moments.
  virtual std::uint64_t state_bytes() const = 0;

  // The functions below are for trainings with checkpoints. Optimizers without checkpoints throw Error.

  /// Adds the moments as "optimizer.MOMENT.NAME", float32.
  virtual void save(io::TensorMap& tensors) const;
  /// Restores the state that was saved after this many steps. Throws InputError with `source` if a tensor is
  /// missing or has another shape.
  virtual void restore(const io::TensorMap& tensors, std::int64_t steps, const std::string& source);
};

}  // namespace molgauge::train
