#pragma once

#include <memory>

#include <ATen/ATen.h>

#include "base/train/collectives/shared_store.h"

namespace molgauge::train {

/// Collective operations of LibTorch between the processes of a training, through Gloo. If the Gloo headers
/// are missing and LibTorch has CUDA, uses NCCL. Tensors are then sent through the GPU with the index
/// LOCAL_RANK.
class CollectiveBackend {
 public:
  /// An operation in progress.
  class Operation {
   public:
    virtual ~Operation() = default;
    virtual bool is_done() = 0;
    /// Call it when the operation is done. Throws an exception of LibTorch if it failed.
    virtual void finish() = 0;
  };

  virtual ~CollectiveBackend() = default;
  /// Broadcasts a contiguous CPU tensor from the process `root`.
  virtual std::unique_ptr<Operation> broadcast(const at::Tensor& tensor, std::size_t root) = 0;
};

/// Connects all processes. Waits for them without a timeout. Throws Error if this build has no backend.
std::unique_ptr<CollectiveBackend> connect(const Launch& launch, const SharedStore& store);
/// Whether this build has a backend.
bool can_exchange();
/// Whether tensors are sent through GPUs. If so, each process of a machine needs its own GPU.
bool exchanges_through_gpus();

}  // namespace molgauge::train
