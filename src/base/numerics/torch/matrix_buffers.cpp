#include "base/numerics/torch/matrix_buffers.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <ATen/Context.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>

#include "base/core/error.h"
#include "base/core/session/process_limits.h"
#include "base/core/text/bytes.h"

namespace molgauge::torch {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
/// Bytes of one buffer: BUFFER_SIZE of OpenBLAS on x86-64, with its alignment.
constexpr std::uint64_t kBufferBytes = 132 * kMebibyte;
/// The maximum number of buffers in OpenBLAS.
constexpr std::size_t kMaxBuffers = 64;
/// Address space for the stack of a thread, and for the heap that the C library creates for the thread.
constexpr std::uint64_t kThreadBytes = 24 * kMebibyte;
/// Address space that other parts of the program may map later, excluding tensors.
constexpr std::uint64_t kWorkBytes = 96 * kMebibyte;

/// The functions of the buffer pool of OpenBLAS, which the library exports.
struct BufferPool {
  void* (*take)(int) = nullptr;
  void (*give_back)(void*) = nullptr;
};

BufferPool find_pool() {
  // RTLD_NOLOAD finds the library only if it is already loaded.
  void* const library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) {
    return {};
  }
  BufferPool pool;
  pool.take = reinterpret_cast<void* (*)(int)>(dlsym(library, "blas_memory_alloc"));
  pool.give_back = reinterpret_cast<void (*)(void*)>(dlsym(library, "blas_memory_free"));
  dlclose(library);  // the library stays loaded, because another library uses it
  return pool;
}

bool can_be_mapped(std::uint64_t bytes) {
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return false;
  }
  munmap(memory, bytes);
  return true;
}

}  // namespace

bool has_fast_matrix_library() {
  // RTLD_NOLOAD finds OpenBLAS only if another library has loaded it.
  void* const library = dlopen("libopenblas.so.0", RTLD_LAZY | RTLD_NOLOAD);
  if (library != nullptr) {
    dlclose(library);
  }
  return library != nullptr || at::hasMKL();
}

void reserve_matrix_buffers(std::size_t threads) {
  const auto left = address_space_left();
  if (!left) {
    return;
  }
  const BufferPool pool = find_pool();
  const bool pooled = pool.take != nullptr && pool.give_back != nullptr;
  const std::size_t buffers =
      pooled ? std::min(threads + 1, kMaxBuffers) : 0;  // one buffer is for the caller
  const std::uint64_t needed = buffers * kBufferBytes + threads * kThreadBytes + kWorkBytes;
  if (!can_be_mapped(needed)) {
    throw Error(fmt::format("{} threads need {} of address space, of which the limits of this process leave "
                            "{}. Raise ulimit -v and ulimit -d by {}, or use fewer --threads",
                            threads, format_bytes(needed), format_bytes(*left),
                            format_bytes(needed - std::min(needed, *left))),
                ExitCode::over_budget);
  }
  if (pooled) {
    std::vector<void*> taken(buffers);
    std::generate(taken.begin(), taken.end(), [&] { return pool.take(0); });
    std::for_each(taken.begin(), taken.end(), pool.give_back);
  }
}

}  // namespace molgauge::torch
