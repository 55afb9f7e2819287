#pragma once

#include <cstdint>

namespace molgauge::memory {

/// The passes that some work runs on a GPU.
enum class DevicePasses { forward, forward_and_backward };

/// Returns the workspace bytes that cuBLAS and cuBLASLt keep on a GPU. On Hopper each library takes 32 MiB
/// for each handle and stream. A thread that multiplies matrices has one handle, and autograd runs backward
/// passes in a second thread. Every plan for a GPU counts these bytes.
constexpr std::uint64_t device_workspace_bytes(DevicePasses passes) {
  constexpr std::uint64_t kBytesOfLibrary = std::uint64_t{32} << 20, kLibraries = 2;
  const std::uint64_t threads = passes == DevicePasses::forward ? 1 : 2;
  return threads * kLibraries * kBytesOfLibrary;
}

}  // namespace molgauge::memory
