#include "base/train/step.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <c10/core/GradMode.h>

#include "base/core/error.h"
#include "base/train/pass_memory.h"

namespace molgauge::train {
namespace {

/// Divides the gradients by the factor of the loss.
void divide_gradients(const Parameters& parameters, double factor) {
  const c10::NoGradGuard no_gradient;
  std::vector<at::Tensor> gradients;
  parameters.for_each_trained([&](const ParameterGroup&, const Parameter& parameter) {
    gradients.push_back(parameter.value.grad());
  });
  if (!gradients.empty()) {
    at::_foreach_div_(gradients, factor);
  }
}

}  // namespace

Step::Step(const Parameters& parameters, Optimizer& optimizer, StepOptions options)
    : parameters_(parameters), optimizer_(optimizer), options_(std::move(options)) {
  if (options_.workload) {
    recovery_.emplace(*options_.workload, options_.allocator);
  }
}

memory::RecoveryCounts Step::memory() const {
  if (!recovery_) {
    return {};
  }
  memory::RecoveryCounts counts = recovery_->counts();
  if (counts.used < counts.planned && options_.rows_side_by_side > 0) {
    counts.used = std::min(counts.used, options_.rows_side_by_side);
  }
  return counts;
}

double Step::run(std::int64_t rows, const DrawBatch& draw, const Clock& clock, LossScale& scale) {
  std::unique_ptr<Batch> done;  // the batch whose gradients are set
  LossScale next_scale = scale;
  double norm = 0;
  const auto attempt = [&](const PassPlan& plan) {
    if (!done) {
      next_scale = scale;
      std::unique_ptr<Batch> batch = draw();
      norm = set_gradients(*batch, plan, next_scale);
      batch->release();
      done = std::move(batch);
    }
    const auto phase = memory::begin_step(options_.phases, "optimizer");
    optimizer_.step(clock);
  };
  if (recovery_) {
    with_budget_errors(*recovery_, rows, options_.device, options_.pass, attempt);
  } else {
    attempt(options_.pass);
  }
  // The code after this line cannot fail.
  done->commit();
  scale = next_scale;
  return norm;
}

/// Sets clipped gradients. In float16, repeats this with a smaller factor while the gradients overflow.
double Step::set_gradients(Batch& batch, const PassPlan& plan, LossScale& scale) const {
  const bool scaled = plan.precision == at::kHalf;
  const Clipping& clipping = options_.clipping;
  const bool needs_norm = scaled || options_.measure_norm || clipping.norm > 0 || clipping.value > 0;
  for (;; scale.overflowed()) {
    auto phase = memory::begin_step(options_.phases, "forward");
    batch.forward(plan);
    phase.reset();
    phase = memory::begin_step(options_.phases, "backward");
    batch.backward(scaled ? scale.factor : 1);
    if (scaled) {
      divide_gradients(parameters_, scale.factor);
    }
    if (options_.sum_gradients) {
      options_.sum_gradients(parameters_);
    }
    const double norm = needs_norm ? clip_gradients(parameters_, clipping) : 0;
    if (!scaled || std::isfinite(norm)) {
      if (scaled) {
        scale.stepped();
      }
      return norm;
    }
    if (!scale.can_shrink()) {
      throw Error(
          "training diverged: gradients overflow float16. Lower the learning rate, or use --autocast bf16");
    }
  }
}

}  // namespace molgauge::train
