#pragma once

#include <memory>

#include <ATen/ATen.h>

#include "models/train/collectives/shared_store.h"

namespace headroom::train {

/// LibTorch's collective operations between the processes of a training: Gloo, or NCCL where LibTorch has
/// CUDA and no headers of Gloo (tensors travel through the GPU LOCAL_RANK then).
class CollectiveBackend {
 public:
  /// An operation that is under way.
  class Operation {
   public:
    virtual ~Operation() = default;
    virtual bool is_done() = 0;
    /// To be called once it is done. Throws an exception of LibTorch's where it has failed.
    virtual void finish() = 0;
  };

  virtual ~CollectiveBackend() = default;
  /// Broadcasts a contiguous CPU tensor from the process `root`.
  virtual std::unique_ptr<Operation> broadcast(const at::Tensor& tensor, std::size_t root) = 0;
};

/// Connects all processes. Waits for them without a timeout. Throws Error where this build knows no way.
std::unique_ptr<CollectiveBackend> connect(const Launch& launch, const SharedStore& store);
/// Whether this build knows a way.
bool can_exchange();
/// Whether tensors travel through GPUs. Each process of a machine then needs its own GPU.
bool exchanges_through_gpus();

}  // namespace headroom::train
