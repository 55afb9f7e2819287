#include "ood/head_pass.h"

#include <algorithm>
#include <functional>

#include <c10/core/GradMode.h>

#include "core/worker_group.h"
#include "ood/serial_tensors.h"

namespace headroom::ood {
namespace {

/// A shard of fewer rows would spend its time on adding up gradients.
constexpr std::int64_t kRowsPerShard = 512;
constexpr std::int64_t kMostShards = 16;

at::Tensor rows_of_shard(const at::Tensor& rows, std::size_t index, std::int64_t shards) {
  if (!rows.defined()) {
    return rows;
  }
  const auto shard = static_cast<std::int64_t>(index);
  return rows.slice(0, shard * rows.size(0) / shards, (shard + 1) * rows.size(0) / shards);
}

/// Runs work(shard), each on one thread; gradients are recorded in it or not as `record` says.
void for_each_shard(std::int64_t shards, std::size_t threads, bool record,
                    const std::function<void(std::size_t)>& work) {
  const SerialTensors serial;
  const auto count = static_cast<std::size_t>(shards);
  const auto run = [&](std::size_t shard) {
    const c10::AutoGradMode mode(record);
    work(shard);
  };
  if (std::min(count, threads) == 1) {
    for (std::size_t shard = 0; shard < count; ++shard) {
      run(shard);
    }
    return;
  }
  parallel_for(count, threads, [&](std::size_t shard) {
    at::set_num_threads(1);  // a thread begins with OpenMP's default
    run(shard);
  });
}

}  // namespace

std::int64_t shard_count(std::int64_t rows, at::Device device) {
  return device.is_cpu() ? std::clamp<std::int64_t>(rows / kRowsPerShard, 1, kMostShards) : 1;
}

HeadPass::HeadPass(const EnergyHead& head, const at::Tensor& features, const DropoutMasks& masks,
                   std::size_t threads)
    : head_(head), threads_(threads) {
  const std::int64_t shards = shard_count(features.size(0), features.device());
  for (std::int64_t shard = 0; shard < shards; ++shard) {
    shards_.push_back({head.replica(), {}});
  }
  for_each_shard(shards, threads_, true, [&](std::size_t i) {
    Shard& shard = shards_[i];
    shard.energies =
        shard.head.forward(rows_of_shard(features, i, shards),
                           {rows_of_shard(masks.first, i, shards), rows_of_shard(masks.second, i, shards)});
  });
  std::vector<at::Tensor> parts;
  for (const Shard& shard : shards_) {
    parts.push_back(shard.energies.detach());
  }
  energies_ = at::cat(parts);
}

void HeadPass::backward(const at::Tensor& gradient) {
  const auto shards = static_cast<std::int64_t>(shards_.size());
  for_each_shard(shards, threads_, true,
                 [&](std::size_t i) { shards_[i].energies.backward(rows_of_shard(gradient, i, shards)); });
  for (std::size_t p = 0; p < head_.parameters().size(); ++p) {
    at::Tensor sum = shards_.front().head.parameters()[p].value.grad();
    for (std::size_t i = 1; i < shards_.size(); ++i) {
      sum.add_(shards_[i].head.parameters()[p].value.grad());
    }
    head_.parameters()[p].value.mutable_grad() = sum;
  }
}

at::Tensor energies_of(const EnergyHead& head, const at::Tensor& features, std::size_t threads) {
  const std::int64_t shards = shard_count(features.size(0), features.device());
  std::vector<at::Tensor> parts(static_cast<std::size_t>(shards));
  for_each_shard(shards, threads, false,
                 [&](std::size_t i) { parts[i] = head.forward(rows_of_shard(features, i, shards)); });
  return at::cat(parts);
}

}  // namespace headroom::ood
