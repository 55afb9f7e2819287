#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// The public types of Molgauge: plain requests and reports that need neither LibTorch nor RDKit. See
/// molgauge/engine.h for their use.
namespace molgauge {

/// Device, threads, precision and memory for a verb that computes.
struct ComputeOptions {
  std::string device = "auto";  ///< auto, cpu, cuda, cuda:N
  std::size_t threads = 0;      ///< 0 starts one thread for each processor that this process may use
  /// Precision of the matrix products in the encoder: fp32, bf16, int8 (CPU only), tf32 (GPU only), or fast,
  /// which is the fastest of int8, bf16 and fp32 on this device. If empty, the precision with which
  /// the run was trained is used, or fp32 if there is no run.
  std::string precision = {};
  /// Accept random weights (`molgauge weights init`), whose results are meaningless.
  bool random_weights = false;
  bool quiet = false;  ///< no progress display. log_level controls the log
  /// Use one worker and the smallest batches, and compute nothing ahead of time. The precision does not
  /// change, and the results are bit-identical.
  bool conservative = false;

  /// Memory limit, for example "20GiB", or "80%" of the free memory. If empty, the limit is nearly all free
  /// memory. On a CPU, it limits the resident memory of the whole process. On a GPU, it limits the memory of
  /// the device.
  std::string memory_budget = {};
  /// Only on a GPU: limit of the resident memory of the process, in the form of `memory_budget`.
  std::string host_memory_budget = {};

  /// Only on a GPU: settings of the caching allocator of LibTorch, in the form of PYTORCH_CUDA_ALLOC_CONF. If
  /// empty, the defaults of LibTorch are used.
  std::string cuda_allocator = {};

  /// File that records every tensor allocation (docs/reference/formats.md). If empty, no file is written.
  std::string memory_trace = {};
  std::uint64_t memory_trace_ring = 0;  ///< approximate number of latest events to keep. 0 keeps all events
};

/// Time and peak memory of a phase (encoding, train, eval), measured while it ran. A step within a phase has
/// its own report, for example "train / forward". For steps, only time, tensor memory and device memory are
/// measured, at almost no cost.
struct PhaseReport {
  std::string phase;
  double seconds = 0;
  std::uint64_t peak_host_memory_bytes = 0;    ///< resident memory of the process. 0 for a step
  std::uint64_t peak_tensor_memory_bytes = 0;  ///< memory of CPU tensors, a part of the resident memory
  std::uint64_t refused_tensors = 0;           ///< requests for CPU tensors that did not fit the budget

  // Memory of the GPU. All values are 0 without a GPU.
  std::uint64_t peak_device_memory_bytes = 0;    ///< bytes allocated by tensors
  std::uint64_t peak_device_reserved_bytes = 0;  ///< bytes that the allocator reserved from the driver
  /// Allocated bytes, and freed bytes that a stream still needs.
  std::uint64_t peak_device_active_bytes = 0;
  std::uint64_t device_retries = 0;   ///< number of times the allocator released its whole cache
  std::uint64_t device_refusals = 0;  ///< requests that failed even after the cache was released
  /// Free bytes of the device at the end of the phase, according to the driver. 0 for a step.
  std::uint64_t device_free_bytes = 0;

  /// Planned peak memory of the process on a CPU, or of the device on a GPU. 0 means not planned.
  std::uint64_t planned_memory_bytes = 0;
};

/// A record that is not a valid molecule or could not be encoded.
struct FailedMolecule {
  std::size_t row = 0;   ///< counted from 0
  std::size_t line = 0;  ///< counted from 1
  std::string file, text, reason;
};

}  // namespace molgauge
