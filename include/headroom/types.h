#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// The public face of Headroom: plain requests and reports, free of LibTorch and RDKit. See
/// headroom/engine.h.
namespace headroom {

/// Where and how anything that computes runs.
struct ComputeOptions {
  std::string device = "auto";  ///< auto, cpu, cuda, cuda:N
  std::size_t threads = 0;      ///< 0: every processor this process may use
  /// Of the encoder's products: fp32, bf16, int8, or fast, the quickest of them on this CPU. Empty: what the
  /// run was trained on, where there is one, else fp32.
  std::string precision;
  bool quiet = false;  ///< no progress display
};

/// Peak memory and time of one phase (encoding, train, eval), measured while it ran.
struct PhaseReport {
  std::string phase;
  double seconds = 0;
  std::uint64_t peak_host_memory_bytes = 0;    ///< resident memory of the process at its highest
  std::uint64_t peak_device_memory_bytes = 0;  ///< allocated on the GPU at its highest; 0 without one
};

/// A record that is not a molecule, or could not be encoded.
struct FailedMolecule {
  std::size_t row = 0;   ///< 0-based
  std::size_t line = 0;  ///< 1-based
  std::string file, text, reason;
};

}  // namespace headroom
