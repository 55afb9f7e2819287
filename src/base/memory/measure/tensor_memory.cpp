#include "base/memory/measure/tensor_memory.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/core/text/bytes.h"

namespace molgauge::memory {
namespace {

/// Alignment of tensors in bytes. Before each tensor, the same number of bytes stores the size of the tensor.
constexpr std::size_t kAlignment = 64;

[[noreturn]] void refuse(std::size_t bytes) {
  const std::uint64_t limit = tensor_memory().limit();
  const std::string budget =
      limit == AllocationMeter::kNoLimit ? "" : " of " + format_bytes(limit) + " for tensors";
  throw OutOfTensorMemory("out of memory: " + format_bytes(bytes) + " more do not fit the budget" + budget +
                          ", and " + format_bytes(tensor_memory().allocated_bytes()) + " are in use");
}

}  // namespace

AllocationMeter& tensor_memory() {
  // Never destroyed, because static tensors are freed after main().
  static auto* const instance = new AllocationMeter();
  return *instance;
}

void* obtain_tensor(std::size_t bytes) {
  if (bytes == 0) {
    return nullptr;
  }
  if (!tensor_memory().admit(bytes)) {
    refuse(bytes);
  }
  void* block = nullptr;
  if (bytes > SIZE_MAX - kAlignment || posix_memalign(&block, kAlignment, bytes + kAlignment) != 0) {
    tensor_memory().withdraw(bytes);
    refuse(bytes);
  }
  const std::uint64_t size = bytes;
  std::memcpy(block, &size, sizeof size);
  void* const tensor = static_cast<std::byte*>(block) + kAlignment;
  tensor_memory().placed(reinterpret_cast<std::uintptr_t>(tensor), bytes);
  return tensor;
}

void release_tensor(void* tensor) noexcept {
  if (tensor == nullptr) {
    return;
  }
  auto* const block = static_cast<std::byte*>(tensor) - kAlignment;
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, block, sizeof bytes);
  tensor_memory().freed(reinterpret_cast<std::uintptr_t>(tensor), bytes);
  std::free(block);
}

}  // namespace molgauge::memory
