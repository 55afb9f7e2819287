#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// The public types of Headroom: plain requests and reports without LibTorch and RDKit. See
/// headroom/engine.h.
namespace headroom {

/// Device, threads, precision and memory of a verb that computes.
struct ComputeOptions {
  std::string device = "auto";  ///< auto, cpu, cuda, cuda:N
  std::size_t threads = 0;      ///< 0: one for each processor that this process may use
  /// Precision of the matrix products in the encoder: fp32, bf16, int8 (CPU only), or fast, which is the
  /// quickest on this device. Empty: the precision of the training of the run, or fp32 without a run.
  std::string precision = {};
  /// Accept results of random weights (`headroom weights init`). They are meaningless.
  bool random_weights = false;
  bool quiet = false;  ///< no progress display. log_level controls the log
  /// Use one worker and the smallest batches, and compute nothing in advance. The chosen precision stays.
  /// Results are bit-identical.
  bool conservative = false;

  /// Memory limit, for example "20GiB", or "80%" of the free memory. Empty: nearly all free memory. On a CPU
  /// it limits the resident memory of the whole process, on a GPU the memory of the device.
  std::string memory_budget = {};
  std::string host_memory_budget =
      {};  ///< on a GPU: limit of the resident memory of the process, in the form of memory_budget

  /// On a GPU: settings of the caching allocator of LibTorch, in the form of PYTORCH_CUDA_ALLOC_CONF. Empty:
  /// its defaults.
  std::string cuda_allocator = {};

  std::string memory_trace =
      {};  ///< file for every allocation of a tensor (docs/reference/formats.md); empty: none
  std::uint64_t memory_trace_ring = 0;  ///< keep about this many of the last events; 0: all
};

/// Time and memory of one phase (encoding, train, eval), measured while it ran. Bytes are peaks. The report
/// of a step within a phase is called "train / forward". For steps, only time, tensors and device are
/// measured, at almost no cost.
struct PhaseReport {
  std::string phase;
  double seconds = 0;
  std::uint64_t peak_host_memory_bytes = 0;    ///< resident memory of the process; 0 for a step
  std::uint64_t peak_tensor_memory_bytes = 0;  ///< CPU tensors, a part of the resident memory
  std::uint64_t refused_tensors = 0;           ///< requests for CPU tensors that did not fit the budget

  // Memory of the GPU. 0 without a GPU.
  std::uint64_t peak_device_memory_bytes = 0;    ///< allocated
  std::uint64_t peak_device_reserved_bytes = 0;  ///< bytes taken from the driver
  std::uint64_t peak_device_active_bytes = 0;    ///< bytes that are allocated, or were freed while a stream
                                                 ///< still needs them
  std::uint64_t device_retries = 0;              ///< requests for which the whole cache was released
  std::uint64_t device_refusals = 0;             ///< requests that failed even after the cache was released
  std::uint64_t device_free_bytes = 0;  ///< free bytes of the driver at the end of the phase; 0 for a step

  /// The planned peak of the process on a CPU, or of the device on a GPU. 0: not planned.
  std::uint64_t planned_memory_bytes = 0;
};

/// A record that is not a molecule, or could not be encoded.
struct FailedMolecule {
  std::size_t row = 0;   ///< 0-based
  std::size_t line = 0;  ///< 1-based
  std::string file, text, reason;
};

}  // namespace headroom
