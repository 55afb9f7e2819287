#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "headroom/memory_explanation.h"

namespace headroom::allocator::test {

/// A line of a made-up program's stack, as PyTorch records it.
struct Frame {
  std::string name, file;
  std::uint64_t line = 0;
};
using Stack = std::vector<Frame>;  ///< innermost first

/// What a made-up program does: asks for `bytes` under `id`, or frees what has this id.
struct ProgramStep {
  std::size_t id = 0;
  std::uint64_t bytes = 0;  ///< 0: free
  std::size_t stack = 0;
  std::uint64_t stream = 0;
};

/// A program of ours that runs out of memory on the simulated card, and why it does.
struct FailingProgram {
  std::string name;
  MemoryCause cause = MemoryCause::none;
  std::uint64_t capacity = 0;
  std::string settings;
  std::vector<Stack> stacks;
  /// By device, or by rank where `ranks`: a file each. All but one of them come to their end.
  std::vector<std::vector<ProgramStep>> devices;
  bool ranks = false;
  /// Segments of private pools that lie idle, as a CUDA graph leaves them.
  std::uint64_t idle_private_bytes = 0;
  /// The program catches the failure and goes on without the tensor.
  bool goes_on = false;
};

/// Twenty kinds.
std::vector<FailingProgram> failing_programs();

/// Runs the program on the simulated card and writes what PyTorch would have dumped when memory ran out;
/// gives the files.
std::vector<std::string> write_snapshots(const FailingProgram& program, const std::filesystem::path& folder);

/// Whether the whole program, all its devices to their last step, fits under other settings and with batches
/// of another size: `batch` times what the program frees again, while what it keeps stays as large as it was.
bool fits_to_the_end(const FailingProgram& program, const std::string& settings, double batch = 1);

}  // namespace headroom::allocator::test
