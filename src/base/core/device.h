#pragma once

#include <string>

namespace molgauge {

/// The device that holds tensors and runs their operations.
struct Device {
  static constexpr int kCpu = -1;

  int gpu = kCpu;  ///< number of the GPU, from 0

  bool is_gpu() const { return gpu != kCpu; }
  bool is_cpu() const { return !is_gpu(); }
  /// The name of the device, as for the option --device: "cpu" or "cuda:0".
  std::string text() const { return is_gpu() ? "cuda:" + std::to_string(gpu) : "cpu"; }
  bool operator==(const Device&) const = default;
};

}  // namespace molgauge
