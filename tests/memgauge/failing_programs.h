#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "molgauge/memory_explanation.h"

namespace molgauge::allocator::test {

/// A line in the stack of a synthetic program, as PyTorch records it.
struct Frame {
  std::string name, file;
  std::uint64_t line = 0;
};
using Stack = std::vector<Frame>;  ///< innermost first

/// A step of a synthetic program. It requests `bytes` under `id`, or frees the block with this id.
struct ProgramStep {
  std::size_t id = 0;
  std::uint64_t bytes = 0;  ///< 0 frees the block
  std::size_t stack = 0;
  std::uint64_t stream = 0;
};

/// An example program that runs out of memory on the simulated card, and the reason.
struct FailingProgram {
  std::string name;
  MemoryCause cause = MemoryCause::none;
  std::uint64_t capacity = 0;
  std::string settings;
  std::vector<Stack> stacks;
  /// The steps of each device, or of each rank if `ranks` is true. Each rank has a separate file. Memory runs
  /// out on only one device.
  std::vector<std::vector<ProgramStep>> devices;
  bool ranks = false;
  /// Bytes of idle segments of private pools, as after a CUDA graph.
  std::uint64_t idle_private_bytes = 0;
  /// The program catches the failure and continues without the tensor that it requested.
  bool goes_on = false;
};

/// Twenty programs of different kinds.
std::vector<FailingProgram> failing_programs();

/// Runs the program on the simulated card and writes the snapshots that PyTorch would have dumped when memory
/// ran out. Returns the files.
std::vector<std::string> write_snapshots(const FailingProgram& program, const std::filesystem::path& folder);

/// Returns whether the complete program, with all devices and steps, fits with these settings and this batch
/// size. `batch`: factor for the memory that the program frees again. Memory that the program keeps is
/// unchanged.
bool fits_to_the_end(const FailingProgram& program, const std::string& settings, double batch = 1);

}  // namespace molgauge::allocator::test
