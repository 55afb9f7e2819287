#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <ATen/ATen.h>

#include "ood/head/energy_head.h"
#include "train/shards.h"

namespace headroom::ood {

/// On a device (shards.h).
inline std::int64_t shard_count(std::int64_t rows, at::Device device) {
  return train::shard_count(rows, !device.is_cpu());
}

/// How a pass is run. Nothing but `precision` changes its numbers.
struct PassPlan {
  std::size_t threads = 1;
  /// Keep the activations of all shards for the backward pass; else compute them again there, shard by shard
  /// (activation checkpointing).
  bool keep_activations = true;
  std::int64_t shards_at_once = 0;        ///< in memory, where activations are not kept; 0: one a thread
  at::ScalarType precision = at::kFloat;  ///< of products and activations; parameters stay float32
};

/// One pass of many rows through a head: forward now, backward later.
class HeadPass {
 public:
  /// Forward, with dropout where there are masks. features [n, width]. Head, features and masks are read
  /// again by backward().
  HeadPass(const EnergyHead& head, at::Tensor features, DropoutMasks masks, const PassPlan& plan);

  /// [n], float32, without history.
  const at::Tensor& energies() const { return energies_; }
  /// Sets the gradients of the head's parameters, replacing what was there. gradient [n]: of the loss with
  /// respect to the energies. Once only. The gradients are as they were if this throws.
  void backward(const at::Tensor& gradient);

 private:
  struct Shard {
    EnergyHead head;  ///< the same numbers, gradients of its own
    at::Tensor energies;
  };
  Shard forward(std::int64_t shard) const;

  const EnergyHead& head_;
  at::Tensor features_;
  DropoutMasks masks_;
  PassPlan plan_;
  std::int64_t shards_;
  std::vector<std::optional<Shard>> kept_;  ///< empty where activations are not kept
  at::Tensor energies_;
};

/// energies(rows of a shard) [n of them] of all rows, shard by shard, without gradients: as many at once as
/// the plan says, of which `keep_activations` and `precision` mean nothing here.
at::Tensor in_shards(const at::Tensor& features, const PassPlan& plan,
                     const std::function<at::Tensor(const at::Tensor& rows)>& energies);

}  // namespace headroom::ood
