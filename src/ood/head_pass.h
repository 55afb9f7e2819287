#pragma once

#include <vector>

#include <ATen/ATen.h>

#include "ood/energy_head.h"

namespace headroom::ood {

/// Shards that the rows of a pass are cut into (below).
std::int64_t shard_count(std::int64_t rows, at::Device device);

/// One pass of many rows through a head: forward now, backward later.
///
/// On the CPU the rows are cut into shards whose number depends on nothing but the number of rows; every
/// shard is computed by one thread, and the gradients of the shards are added in their order. So energies and
/// gradients have the same bytes for any number of threads (a matrix product that is split over threads
/// by the BLAS has not). On a GPU there is one shard.
class HeadPass {
 public:
  /// Forward, with dropout where there are masks. features [n, width].
  HeadPass(const EnergyHead& head, const at::Tensor& features, const DropoutMasks& masks,
           std::size_t threads);

  /// [n], without history.
  const at::Tensor& energies() const { return energies_; }
  /// Sets the gradients of the head's parameters, replacing what was there. gradient [n]: of the loss with
  /// respect to the energies.
  void backward(const at::Tensor& gradient);

 private:
  struct Shard {
    EnergyHead head;  ///< the same numbers, gradients of its own
    at::Tensor energies;
  };
  const EnergyHead& head_;
  std::size_t threads_;
  std::vector<Shard> shards_;
  at::Tensor energies_;
};

/// Energies [n] without gradients, in shards likewise.
at::Tensor energies_of(const EnergyHead& head, const at::Tensor& features, std::size_t threads);

}  // namespace headroom::ood
