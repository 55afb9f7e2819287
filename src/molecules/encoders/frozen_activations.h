#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <span>
#include <vector>

#include "base/numerics/ops/array.h"

namespace molgauge::encoders {

/// The outputs of frozen layers, as lists of numbers. The lists may have different lengths. Each list is
/// written once and read many times. All lists are in memory, or in an unnamed temporary file. Lists in
/// memory count as tensor memory. The file is deleted with the object, or when the process ends.
///
/// Thread safety: every method may be called from any thread.
class FrozenActivations {
 public:
  /// Stores lists in memory.
  FrozenActivations() = default;
  /// Stores lists in a temporary file in this folder. Throws Error with the folder if the file cannot be
  /// created.
  explicit FrozenActivations(std::filesystem::path folder);
  ~FrozenActivations();
  FrozenActivations(const FrozenActivations&) = delete;
  FrozenActivations& operator=(const FrozenActivations&) = delete;

  bool is_on_disk() const { return file_ >= 0; }

  /// Appends the concatenation of `first` and `second` as a list and returns its index. Throws
  /// OutOfTensorMemory, or Error with the folder if the disk is full. No list is added in this case.
  std::size_t append(std::span<const float> first, std::span<const float> second);

  /// Reads the numbers [begin, begin + to.size()) of a list into `to`. Throws Error with the folder if they
  /// cannot be read.
  void read(std::size_t list, std::size_t begin, std::span<float> to) const;

  /// The number of lists.
  std::size_t count() const;
  std::size_t length(std::size_t list) const;

 private:
  struct List {
    ops::Floats numbers;       ///< undefined if the numbers are in the file
    std::uint64_t offset = 0;  ///< offset in the file, in bytes
    std::size_t length = 0;
  };
  List find(std::size_t list) const;
  void write(std::span<const float> numbers, std::uint64_t offset) const;

  std::filesystem::path folder_;
  int file_ = -1;
  mutable std::mutex mutex_;
  std::vector<List> lists_;
  std::uint64_t end_ = 0;  ///< end of the file, in bytes
};

}  // namespace molgauge::encoders
