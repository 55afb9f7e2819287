#include "ood/head/head_pass.h"

#include <algorithm>
#include <utility>

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include "core/worker_group.h"
#include "torch/bfloat16_products.h"
#include "torch/operator_threads.h"

namespace headroom::ood {
namespace {

at::Tensor rows_of_shard(const at::Tensor& rows, std::int64_t shard, std::int64_t shards) {
  if (!rows.defined()) {
    return rows;
  }
  return rows.slice(0, shard * rows.size(0) / shards, (shard + 1) * rows.size(0) / shards);
}

/// Runs work(shard) for the shards [begin, end), each on one thread; gradients are recorded in it or not as
/// `record` says.
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
    at::set_num_threads(1);  // a thread begins with OpenMP's default
    run(i);
  });
}

std::int64_t at_once(const PassPlan& plan) {
  return plan.shards_at_once > 0 ? plan.shards_at_once
                                 : static_cast<std::int64_t>(std::max<std::size_t>(1, plan.threads));
}

/// The same for all shards, so many at once; `after` is called for each of them, in their order, when those
/// that run beside it are done.
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

HeadPass::HeadPass(const EnergyHead& head, at::Tensor features, DropoutMasks masks, const PassPlan& plan)
    : head_(head),
      features_(std::move(features)),
      masks_(std::move(masks)),
      plan_(plan),
      shards_(shard_count(features_.size(0), features_.device())) {
  if (plan_.precision == at::kBFloat16 && features_.is_cpu()) {
    torch::prepare_bfloat16_products();
  }
  std::vector<at::Tensor> parts(static_cast<std::size_t>(shards_));
  if (plan_.keep_activations) {
    kept_.resize(parts.size());
    for_each_shard(0, shards_, plan_.threads, true, [&](std::int64_t i) {
      auto& shard = kept_[static_cast<std::size_t>(i)];
      shard.emplace(forward(i));
      parts[static_cast<std::size_t>(i)] = shard->energies.detach();
    });
  } else {
    for_each_wave(
        shards_, plan_, false,
        [&](std::int64_t i) { parts[static_cast<std::size_t>(i)] = forward(i).energies; },
        [](std::int64_t) {});
  }
  energies_ = at::cat(parts);
}

HeadPass::Shard HeadPass::forward(std::int64_t shard) const {
  Shard made{head_.replica(), {}};
  made.energies = made.head.forward(
      rows_of_shard(features_, shard, shards_),
      {rows_of_shard(masks_.first, shard, shards_), rows_of_shard(masks_.second, shard, shards_)},
      plan_.precision);
  return made;
}

void HeadPass::backward(const at::Tensor& gradient) {
  std::vector<std::optional<Shard>> shards =
      plan_.keep_activations ? std::exchange(kept_, {})
                             : std::vector<std::optional<Shard>>(static_cast<std::size_t>(shards_));
  std::vector<at::Tensor> sums;
  const auto differentiate = [&](std::int64_t i) {
    auto& shard = shards[static_cast<std::size_t>(i)];
    if (!shard) {
      shard.emplace(forward(i));
    }
    std::exchange(shard->energies, {}).backward(rows_of_shard(gradient, i, shards_));
  };
  const auto add = [&](std::int64_t i) {
    auto& shard = shards[static_cast<std::size_t>(i)];
    const auto& parameters = shard->head.parameters();
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      if (i == 0) {
        sums.push_back(parameters[p].value.grad());
      } else {
        sums[p].add_(parameters[p].value.grad());
      }
    }
    shard.reset();
  };
  for_each_wave(shards_, plan_, true, differentiate, add);
  for (std::size_t p = 0; p < sums.size(); ++p) {
    head_.parameters()[p].value.mutable_grad() = sums[p];
  }
}

at::Tensor in_shards(const at::Tensor& features, const PassPlan& plan,
                     const std::function<at::Tensor(const at::Tensor& rows)>& energies) {
  const std::int64_t shards = shard_count(features.size(0), features.device());
  std::vector<at::Tensor> parts(static_cast<std::size_t>(shards));
  for_each_wave(
      shards, plan, false,
      [&](std::int64_t i) {
        parts[static_cast<std::size_t>(i)] = energies(rows_of_shard(features, i, shards));
      },
      [](std::int64_t) {});
  return at::cat(parts);
}

}  // namespace headroom::ood
