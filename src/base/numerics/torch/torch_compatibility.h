#pragma once

#include <ATen/Context.h>
#include <ATen/autocast_mode.h>
#include <ATen/core/Tensor.h>
#include <torch/version.h>

// Since LibTorch 2.3, allocators are no longer const and have a function for copies.
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 3)
#define MOLGAUGE_ALLOCATE_CONST
#define MOLGAUGE_ALLOCATORS_COPY 1
#else
#define MOLGAUGE_ALLOCATE_CONST const
#define MOLGAUGE_ALLOCATORS_COPY 0
#endif

// Since LibTorch 2.3, the CUDA allocator reports each of its events to a callback.
#define MOLGAUGE_TRACES_DEVICES MOLGAUGE_ALLOCATORS_COPY

// Since LibTorch 2.9, allocators of all devices share their settings and report them.
#define MOLGAUGE_TELLS_ALLOCATOR_SETTINGS __has_include(<c10/core/AllocatorConfig.h>)

// Since LibTorch 2.8, the allocator of pinned memory reports the size of its memory.
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 8)
#define MOLGAUGE_TELLS_PINNED_MEMORY 1
#else
#define MOLGAUGE_TELLS_PINNED_MEMORY 0
#endif

/// Only this file contains differences between the LibTorch versions that Molgauge supports (1.13 and 2.x).
namespace molgauge::torch {

/// The LibTorch version of this build, for example "1.13.0".
inline const char* torch_version() { return TORCH_VERSION; }

/// Initialises the GPUs through the CUDA allocator. Later calls have no effect.
inline void start_cuda() {
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 6)
  at::globalContext().lazyInitDevice(c10::kCUDA);
#else
  at::globalContext().lazyInitCUDA();
#endif
}

/// Whether ATen fills new tensors with NaN in its deterministic mode, as it does since 2.2.
inline bool fills_empty_tensors() {
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 2)
  return at::globalContext().deterministicFillUninitializedMemory();
#else
  return false;
#endif
}
inline void fill_empty_tensors([[maybe_unused]] bool is_on) {
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 2)
  at::globalContext().setDeterministicFillUninitializedMemory(is_on);
#endif
}

/// Makes cuBLAS compute all sums of float16 products and of bfloat16 products in float32. By default, cuBLAS
/// may compute partial sums in the type of the products.
inline void sum_products_in_float32() {
  at::globalContext().setAllowFP16ReductionCuBLAS(false);
#if TORCH_VERSION_MAJOR >= 2
  at::globalContext().setAllowBF16ReductionCuBLAS(false);
#endif
}

/// The type of products under autocast on a device. Since LibTorch 2.4, the same functions serve all devices.
inline c10::ScalarType autocast_type(c10::Device device) {
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)
  return at::autocast::get_autocast_dtype(device.type());
#else
  return device.is_cpu() ? at::autocast::get_autocast_cpu_dtype() : at::autocast::get_autocast_gpu_dtype();
#endif
}

/// Turns autocast on or off for this thread on a device.
inline void set_autocast(c10::Device device, bool is_on, c10::ScalarType type) {
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)
  at::autocast::set_autocast_dtype(device.type(), type);
  at::autocast::set_autocast_enabled(device.type(), is_on);
#else
  if (device.is_cpu()) {
    at::autocast::set_autocast_cpu_dtype(type);
    at::autocast::set_cpu_enabled(is_on);
  } else {
    at::autocast::set_autocast_gpu_dtype(type);
    at::autocast::set_enabled(is_on);
  }
#endif
}

/// Returns a pointer for reading the numbers of a tensor. Since LibTorch 2.0, a tensor may be a lazy copy,
/// and data_ptr() would copy the numbers.
template <typename Number>
const Number* read_numbers(const at::Tensor& tensor) {
#if TORCH_VERSION_MAJOR >= 2
  return tensor.const_data_ptr<Number>();
#else
  return tensor.data_ptr<Number>();
#endif
}

/// The numbers of a tensor for writing.
template <typename Number>
Number* write_numbers(const at::Tensor& tensor) {
  return tensor.data_ptr<Number>();
}

}  // namespace molgauge::torch
