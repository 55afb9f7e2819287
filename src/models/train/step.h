#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "memory/measure/phase.h"
#include "memory/recover/recovery.h"
#include "models/train/loss_scale.h"
#include "models/train/optimizer.h"
#include "models/train/parameters.h"
#include "models/train/sharded_pass.h"

namespace headroom::train {

/// One attempt at an optimiser step: a batch, and the data of its passes. It draws from copies of the model's
/// random generators, which commit() copies back to the model.
class Batch {
 public:
  virtual ~Batch() = default;

  /// Forward pass and loss. Only the precision of `plan` changes numbers.
  virtual void forward(const PassPlan& plan) = 0;
  /// Replaces the gradients of all trained parameters by those of the loss times `factor`. Call it after
  /// forward().
  virtual void backward(double factor) = 0;
  /// Frees the memory of the passes, before the optimiser takes memory. No pass follows.
  virtual void release() {}
  /// The step was taken. Must not fail.
  virtual void commit() noexcept {}
};

/// Makes the same batch whenever it is called between two steps.
using DrawBatch = std::function<std::unique_ptr<Batch>()>;

/// Replaces every process's gradients by their sum over all of them, between the backward pass and the
/// clipping. It is called once a step, however often memory runs out; in float16 once more for every
/// overflow, which all processes see in the sum.
using SumGradients = std::function<void(const Parameters&)>;

struct StepOptions {
  PassPlan pass = {};  ///< initial plan; reduced when memory runs out
  Clipping clipping = {};
  bool measure_norm = true;  ///< computes the gradient's norm, which costs time
  at::Device device = at::kCPU;
  /// The rows of a batch, where they can be processed in parts (pass_memory.h); none: a step takes no memory
  /// of its own, and is run as it is.
  std::optional<memory::Workload> workload = {};
  /// Rows that the threads work on side by side where activations are computed again; 0: not known.
  std::size_t rows_side_by_side = 0;
  memory::AllocatorAccess allocator = {};
  SumGradients sum_gradients = {};  ///< empty: there is one process
  /// Where forward, backward and optimiser are measured; null: nowhere.
  memory::PhaseRecorder* phases = nullptr;
};

/// Optimiser steps of a training. Each is done whole or not at all: it works on copies of the random
/// generators, the optimiser takes its memory before it changes a number, and whatever runs out of memory on
/// the way is done again, to the same bytes: the passes from the start, the optimiser with the gradients that
/// there are.
class Step {
 public:
  /// Both arguments outlive the object.
  Step(const Parameters& parameters, Optimizer& optimizer, StepOptions options);

  /// Takes a step on a batch of `rows` rows. In float16 (`options.pass.precision`) the loss is multiplied by
  /// `scale`, which follows the overflows. Returns the gradient's L2 norm before it was clipped; 0 where it
  /// is not measured. Throws Error with ExitCode::over_budget when not even the smallest part fits the
  /// memory, and Error when the gradients overflow whatever the scale.
  double run(std::int64_t rows, const DrawBatch& draw, const Clock& clock, LossScale& scale);

  /// Units: rows whose activations are in memory at once.
  memory::RecoveryCounts memory() const;

 private:
  double set_gradients(Batch& batch, const PassPlan& plan, LossScale& scale) const;

  const Parameters& parameters_;
  Optimizer& optimizer_;
  StepOptions options_;
  std::optional<memory::Recovery> recovery_;
};

}  // namespace headroom::train
