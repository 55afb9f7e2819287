#include "base/train/sharded_pass.h"

#include <algorithm>
#include <utility>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include "base/core/threads/worker_group.h"
#include "base/numerics/torch/bfloat16_products.h"
#include "base/numerics/torch/operator_threads.h"

namespace molgauge::train {
namespace {

RowRange range_of_shard(std::int64_t rows, std::int64_t shard, std::int64_t shards) {
  return {shard * rows / shards, (shard + 1) * rows / shards};
}

/// Runs work(shard) for the shards [begin, end), each on one thread. `record` enables the recording of
/// gradients.
void for_each_shard(std::int64_t begin, std::int64_t end, std::size_t threads, bool record,
                    const std::function<void(std::int64_t)>& work) {
  const torch::OperatorThreads serial(1);
  const auto count = static_cast<std::size_t>(end - begin);
  const auto run = [&](std::size_t i) {
    const c10::AutoGradMode mode(record);
    work(begin + static_cast<std::int64_t>(i));
  };
  if (std::min(count, threads) == 1) {
    for (std::size_t i = 0; i < count; ++i) {
      run(i);
    }
    return;
  }
  parallel_for(count, threads, [&](std::size_t i) {
    at::set_num_threads(1);  // a new thread begins with the default of OpenMP
    run(i);
  });
}

std::int64_t at_once(const PassPlan& plan) {
  return plan.shards_at_once > 0 ? plan.shards_at_once
                                 : static_cast<std::int64_t>(std::max<std::size_t>(1, plan.threads));
}

/// Calls for_each_shard() for one group of shards after another, until all shards are done. The plan says how
/// many shards are in a group. When a group is done, calls `after` for each of its shards, in order.
void for_each_wave(std::int64_t shards, const PassPlan& plan, bool record,
                   const std::function<void(std::int64_t)>& work,
                   const std::function<void(std::int64_t)>& after) {
  for (std::int64_t begin = 0; begin < shards; begin += at_once(plan)) {
    const std::int64_t end = std::min(begin + at_once(plan), shards);
    for_each_shard(begin, end, plan.threads, record, work);
    for (std::int64_t shard = begin; shard < end; ++shard) {
      after(shard);
    }
  }
}

}  // namespace

at::Tensor RowRange::of(const at::Tensor& rows) const {
  return rows.defined() ? rows.slice(0, first, last) : rows;
}

ShardedPass::ShardedPass(std::vector<Parameter> parameters, std::int64_t rows, at::Device device,
                         Forward forward, const PassPlan& plan)
    : parameters_(std::move(parameters)),
      rows_(rows),
      forward_(std::move(forward)),
      plan_(plan),
      shards_(shard_count(rows, device, plan.least_rows)) {
  if (plan_.precision == at::kBFloat16 && device.is_cpu()) {
    torch::prepare_bfloat16_products();
  }
  std::vector<at::Tensor> parts(static_cast<std::size_t>(shards_));
  if (plan_.keep_activations) {
    kept_.resize(parts.size());
    for_each_shard(0, shards_, plan_.threads, true, [&](std::int64_t i) {
      auto& shard = kept_[static_cast<std::size_t>(i)];
      shard.emplace(run(i));
      parts[static_cast<std::size_t>(i)] = shard->outputs.detach();
    });
  } else {
    for_each_wave(
        shards_, plan_, false, [&](std::int64_t i) { parts[static_cast<std::size_t>(i)] = run(i).outputs; },
        [](std::int64_t) {});
  }
  outputs_ = parts.size() == 1 ? parts.front() : at::cat(parts);
}

RowRange ShardedPass::range(std::int64_t shard) const { return range_of_shard(rows_, shard, shards_); }

ShardedPass::Shard ShardedPass::run(std::int64_t shard) const {
  Shard made;
  for (const auto& [name, value] : parameters_) {
    made.parameters.push_back({name, value.detach().requires_grad_(value.requires_grad())});
  }
  made.outputs = forward_(made.parameters, range(shard));
  return made;
}

void ShardedPass::differentiate(const at::Tensor& gradient, const std::function<void(ShardGradients)>& take) {
  std::vector<std::optional<Shard>> shards =
      plan_.keep_activations ? std::exchange(kept_, {})
                             : std::vector<std::optional<Shard>>(static_cast<std::size_t>(shards_));
  const auto differentiate = [&](std::int64_t i) {
    auto& shard = shards[static_cast<std::size_t>(i)];
    if (!shard) {
      shard.emplace(run(i));
    }
    std::exchange(shard->outputs, {}).backward(range(i).of(gradient));
  };
  const auto hand_over = [&](std::int64_t i) {
    auto& shard = shards[static_cast<std::size_t>(i)];
    ShardGradients gradients;
    for (const Parameter& parameter : shard->parameters) {
      gradients.push_back(parameter.value.grad());
    }
    shard.reset();
    take(std::move(gradients));
  };
  for_each_wave(shards_, plan_, true, differentiate, hand_over);
}

void ShardedPass::backward(const at::Tensor& gradient) {
  ShardGradients sums(parameters_.size());
  differentiate(gradient, [&](ShardGradients own) {
    for (std::size_t p = 0; p < sums.size(); ++p) {
      if (!sums[p].defined()) {
        sums[p] = std::move(own[p]);
      } else if (own[p].defined()) {
        sums[p].add_(own[p]);
      }
    }
  });
  for (std::size_t p = 0; p < sums.size(); ++p) {
    // If no row has used a parameter, the gradient of the parameter is 0.
    if (parameters_[p].value.requires_grad() && !sums[p].defined()) {
      sums[p] = at::zeros_like(parameters_[p].value);
    }
  }
  for (std::size_t p = 0; p < sums.size(); ++p) {
    parameters_[p].value.mutable_grad() = sums[p];
  }
}

std::vector<ShardGradients> ShardedPass::gradients_of_shards(const at::Tensor& gradient) {
  std::vector<ShardGradients> gradients;
  differentiate(gradient, [&](ShardGradients own) { gradients.push_back(std::move(own)); });
  return gradients;
}

at::Tensor in_shards(const at::Tensor& features, const PassPlan& plan,
                     const std::function<at::Tensor(const at::Tensor& rows)>& outputs) {
  const std::int64_t shards = shard_count(features.size(0), features.device(), plan.least_rows);
  std::vector<at::Tensor> parts(static_cast<std::size_t>(shards));
  for_each_wave(
      shards, plan, false,
      [&](std::int64_t i) {
        parts[static_cast<std::size_t>(i)] =
            outputs(range_of_shard(features.size(0), i, shards).of(features));
      },
      [](std::int64_t) {});
  return at::cat(parts);
}

}  // namespace molgauge::train
