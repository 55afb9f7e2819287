#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// The public types of Headroom: plain requests and reports without LibTorch and RDKit. See
/// headroom/engine.h.
namespace headroom {

/// Device, threads, precision and memory of any verb that computes.
struct ComputeOptions {
  std::string device = "auto";  ///< auto, cpu, cuda, cuda:N
  std::size_t threads = 0;      ///< 0: every processor this process may use
  /// Precision of the encoder's products: fp32, bf16, int8 (CPU only), or fast, the quickest on this device.
  /// Empty: the precision that the run was trained with; without a run, fp32.
  std::string precision = {};
  /// Results of random weights (`headroom weights init`) are wanted, which mean nothing.
  bool random_weights = false;
  bool quiet = false;  ///< no progress display; the log has its own level
  /// One worker, the smallest batches, and nothing computed ahead of time. The chosen precision stays.
  /// Results are bit-identical.
  bool conservative = false;

  /// Most memory to use, as "20GiB" or "80%" (of the free memory); empty: nearly all that is free. On a CPU,
  /// resident memory of the process as a whole; on a GPU, memory of the device.
  std::string memory_budget = {};
  std::string host_memory_budget = {};  ///< on a GPU: limit of the process as a whole, in this form

  /// GPU: settings of LibTorch's caching allocator, as PYTORCH_CUDA_ALLOC_CONF has them; empty: its own.
  std::string cuda_allocator = {};

  std::string memory_trace =
      {};  ///< file for every allocation of a tensor (docs/reference/formats.md); empty: none
  std::uint64_t memory_trace_ring = 0;  ///< keep about so many of the last events; 0: all
};

/// Time and memory of one phase (encoding, train, eval), measured while it ran. Bytes are those at the
/// highest moment of the phase. A phase within another one is called "train / forward"; for such a step only
/// time, tensors and device are measured, at next to no cost.
struct PhaseReport {
  std::string phase;
  double seconds = 0;
  std::uint64_t peak_host_memory_bytes = 0;    ///< resident memory of the process; 0 for a step
  std::uint64_t peak_tensor_memory_bytes = 0;  ///< CPU tensors, a part of the resident memory
  std::uint64_t refused_tensors = 0;           ///< requests for CPU tensors that did not fit the budget

  // Memory of the GPU; 0 without one.
  std::uint64_t peak_device_memory_bytes = 0;    ///< allocated
  std::uint64_t peak_device_reserved_bytes = 0;  ///< taken from the driver
  std::uint64_t peak_device_active_bytes = 0;    ///< allocated, or freed while a stream still needs it
  std::uint64_t device_retries = 0;              ///< requests for which all cached memory was released
  std::uint64_t device_refusals = 0;             ///< requests that failed after that
  std::uint64_t device_free_bytes = 0;           ///< left by the driver when the phase ended; 0 for a step

  /// The planned peak: of the process on a CPU, of the device on a GPU; 0: not planned.
  std::uint64_t planned_memory_bytes = 0;
};

/// A record that is not a molecule, or could not be encoded.
struct FailedMolecule {
  std::size_t row = 0;   ///< 0-based
  std::size_t line = 0;  ///< 1-based
  std::string file, text, reason;
};

}  // namespace headroom
