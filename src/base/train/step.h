#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "base/memory/measure/phase.h"
#include "base/memory/recover/recovery.h"
#include "base/train/loss_scale.h"
#include "base/train/optimizer.h"
#include "base/train/parameters.h"
#include "base/train/sharded_pass.h"

namespace molgauge::train {

/// One attempt at an optimizer step: a batch, and the data of its passes. It draws from copies of the random
/// generators of the model. commit() copies them back to the model.
class Batch {
 public:
  virtual ~Batch() = default;

  /// Forward pass and loss. Of the settings in `plan`, only the precision changes the results.
  virtual void forward(const PassPlan& plan) = 0;
  /// Replaces the gradients of all trained parameters by the gradients of the loss times `factor`. Call it
  /// after forward().
  virtual void backward(double factor) = 0;
  /// Frees the memory of the passes, because the optimizer needs memory. No forward() or backward() follows.
  virtual void release() {}
  /// Called after the step is finished. Must not fail.
  virtual void commit() noexcept {}
};

/// Creates a batch. Repeated calls create the same batch until the step is committed.
using DrawBatch = std::function<std::unique_ptr<Batch>()>;

/// Replaces the gradients in every process by their sum over all processes, between the backward pass and the
/// clipping. It is called once for each step, even after out-of-memory errors. In float16, it is called again
/// after every overflow. All processes find the overflow, because they use the sum.
using SumGradients = std::function<void(const Parameters&)>;

struct StepOptions {
  PassPlan pass = {};  ///< initial plan; reduced when memory runs out
  Clipping clipping = {};
  bool measure_norm = true;  ///< compute the norm of the gradient, which takes time
  at::Device device = at::kCPU;
  /// The rows of a batch if they can be processed in parts (pass_memory.h). Not set if a step needs no
  /// additional memory and cannot be divided.
  std::optional<memory::Workload> workload = {};
  /// Rows that the threads process in parallel with activation checkpointing. 0 if unknown.
  std::size_t rows_side_by_side = 0;
  memory::AllocatorAccess allocator = {};
  SumGradients sum_gradients = {};  ///< empty if there is only one process
  /// Measures forward, backward and optimizer. Null disables the measurement.
  memory::PhaseRecorder* phases = nullptr;
};

/// Optimizer steps of a training. A step is done completely or not at all. It uses copies of the random
/// generators, and the optimizer allocates its memory before it changes a number. If memory runs out in the
/// passes, they are repeated from the start. If memory runs out in the optimizer, its work is repeated with
/// the same gradients. The results are bit-identical.
class Step {
 public:
  /// Both arguments must outlive the object.
  Step(const Parameters& parameters, Optimizer& optimizer, StepOptions options);

  /// Takes a step on a batch of `rows` rows. In float16 (`options.pass.precision`) the loss is multiplied by
  /// the factor of `scale`, which is updated after overflows. Returns the L2 norm of the gradient before
  /// clipping, or 0 if it is not measured. Throws Error with ExitCode::over_budget if not even the smallest
  /// part fits in memory, and Error if the gradients overflow at every scale.
  double run(std::int64_t rows, const DrawBatch& draw, const Clock& clock, LossScale& scale);

  /// The recovery counts. The unit is rows whose activations are in memory at the same time.
  memory::RecoveryCounts memory() const;

 private:
  double set_gradients(Batch& batch, const PassPlan& plan, LossScale& scale) const;

  const Parameters& parameters_;
  Optimizer& optimizer_;
  StepOptions options_;
  std::optional<memory::Recovery> recovery_;
};

}  // namespace molgauge::train
