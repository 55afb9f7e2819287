#include "base/train/collectives/shared_step.h"

#include <utility>

#include <c10/core/GradMode.h>

namespace molgauge::train {

SharedStep::SharedStep(ProcessGroup& group, std::vector<Parameter> parameters)
    : group_(group), parameters_(std::move(parameters)) {
  std::int64_t end = 0;
  for (const Parameter& parameter : parameters_) {
    begins_.push_back(end);
    end += parameter.value.numel();
  }
  sums_ = at::empty({end + static_cast<std::int64_t>(parameters_.size())});
}

at::Tensor SharedStep::gather(const std::string& name, const at::Tensor& own,
                              const std::vector<RowRange>& ranges) {
  const c10::NoGradGuard no_gradient;
  Gathered& gathered = gathered_[name];
  if (!gathered.rows.defined()) {
    at::Tensor rows = at::empty({ranges.back().last, own.size(1)}, own.options());
    ranges[group_.rank()].of(rows).copy_(own);
    gathered.rows = std::move(rows);
  }
  for (; gathered.roots < group_.size(); ++gathered.roots) {
    const RowRange& range = ranges[gathered.roots];
    if (range.last > range.first) {
      group_.broadcast(range.of(gathered.rows), gathered.roots);
    }
  }
  return gathered.rows;
}

at::Tensor SharedStep::slot(std::size_t parameter) const {
  const at::Tensor& value = parameters_[parameter].value;
  return sums_.narrow(0, begins_[parameter], value.numel()).view(value.sizes());
}

void SharedStep::add(const ShardGradients& gradients) {
  const std::int64_t flags = sums_.size(0) - static_cast<std::int64_t>(parameters_.size());
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    if (gradients[p].defined()) {
      slot(p).add_(gradients[p]);
      sums_.data_ptr<float>()[flags + static_cast<std::int64_t>(p)] = 1;
    }
  }
}

void SharedStep::sum(const std::vector<ShardGradients>& own) {
  const c10::NoGradGuard no_gradient;
  if (!is_begun_) {
    // -0 + x is x for every x, so the sums equal the first gradient after the first addition. With 0 as the
    // start, -0 would become 0.
    sums_.fill_(-0.0);
    is_begun_ = true;
  }
  for (; roots_summed_ < group_.size(); ++roots_summed_) {
    if (roots_summed_ == group_.rank() && !has_added_) {
      for (const ShardGradients& gradients : own) {
        add(gradients);
      }
      has_added_ = true;
    }
    group_.broadcast(sums_, roots_summed_);
  }
  const std::int64_t flags = sums_.size(0) - static_cast<std::int64_t>(parameters_.size());
  std::vector<at::Tensor> gradients(parameters_.size());
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    if (parameters_[p].value.requires_grad()) {
      const bool is_used = sums_.data_ptr<float>()[flags + static_cast<std::int64_t>(p)] > 0;
      gradients[p] = is_used ? slot(p).clone() : at::zeros_like(parameters_[p].value);
    }
  }
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    parameters_[p].value.mutable_grad() = gradients[p];
  }
}

void SharedStep::next() noexcept {
  gathered_.clear();
  is_begun_ = false;
  roots_summed_ = 0;
  has_added_ = false;
}

}  // namespace molgauge::train
