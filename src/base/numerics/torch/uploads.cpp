#include "base/numerics/torch/uploads.h"

#include <cstring>

#include <ATen/ATen.h>

#include "base/numerics/torch/pinned_memory.h"

namespace molgauge::torch {
namespace {

/// Each array begins at a multiple of this number of bytes, which is sufficient for all number types.
constexpr std::int64_t kAlignment = 64;

std::int64_t aligned(std::int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

/// Returns a host tensor of bytes from which a copy to a device starts. For a GPU, the bytes are pinned if
/// the budget has room.
at::Tensor staging(std::int64_t bytes, c10::Device device) {
  PinnedMemory* const pinned = device.is_cuda() ? pinned_memory() : nullptr;
  const at::Tensor taken = pinned != nullptr ? pinned->take(bytes) : at::Tensor();
  return taken.defined() ? taken : at::empty({bytes}, at::kByte);
}

}  // namespace

at::Tensor moved(const at::Tensor& tensor, c10::Device device) {
  at::Tensor there = tensor;
  if (tensor.is_cpu()) {
    move_together({&there}, device);
  }
  return there;
}

void move_together(const std::vector<at::Tensor*>& tensors, c10::Device device) {
  if (device.is_cpu()) {
    return;
  }
  std::int64_t bytes = 0;
  for (const at::Tensor* tensor : tensors) {
    bytes += tensor->defined() ? aligned(static_cast<std::int64_t>(tensor->nbytes())) : 0;
  }
  const at::Tensor here = staging(bytes, device);
  std::int64_t begin = 0;
  for (const at::Tensor* tensor : tensors) {
    if (tensor->defined() && tensor->nbytes() > 0) {
      std::memcpy(static_cast<char*>(here.data_ptr()) + begin, tensor->data_ptr(), tensor->nbytes());
      begin += aligned(static_cast<std::int64_t>(tensor->nbytes()));
    }
  }
  const at::Tensor there = here.to(here.options().device(device).pinned_memory(false), /*non_blocking=*/true);
  begin = 0;
  for (at::Tensor* tensor : tensors) {
    if (tensor->defined()) {
      const auto own = static_cast<std::int64_t>(tensor->nbytes());
      *tensor = there.slice(0, begin, begin + own).view(tensor->scalar_type()).view(tensor->sizes());
      begin += aligned(own);
    }
  }
}

}  // namespace molgauge::torch
