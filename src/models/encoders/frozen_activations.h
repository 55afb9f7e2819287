#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <span>
#include <vector>

#include "numerics/ops/array.h"

namespace headroom::encoders {

/// Lists of numbers of different lengths that are written once and read many times: in memory, where they
/// are counted as tensors, or in a file without a name, which is gone when the object is, however the process
/// ends.
///
/// Thread safety: any number of calls at once.
class FrozenActivations {
 public:
  /// In memory.
  FrozenActivations() = default;
  /// In a file of this folder. Throws Error naming the folder where it cannot be made.
  explicit FrozenActivations(std::filesystem::path folder);
  ~FrozenActivations();
  FrozenActivations(const FrozenActivations&) = delete;
  FrozenActivations& operator=(const FrozenActivations&) = delete;

  bool is_on_disk() const { return file_ >= 0; }

  /// Adds a list, which `first` and `second` make one after the other, and returns its number: 0, 1, and so
  /// on. No list is added where this throws OutOfTensorMemory, or Error naming the folder when the disk is
  /// full.
  std::size_t append(std::span<const float> first, std::span<const float> second);

  /// Numbers [begin, begin + to.size()) of a list. Throws Error naming the folder when they cannot be read.
  void read(std::size_t list, std::size_t begin, std::span<float> to) const;

  /// Lists that were added.
  std::size_t count() const;
  std::size_t length(std::size_t list) const;

 private:
  struct List {
    ops::Floats numbers;       ///< undefined in a file
    std::uint64_t offset = 0;  ///< in the file, in bytes
    std::size_t length = 0;
  };
  List find(std::size_t list) const;
  void write(std::span<const float> numbers, std::uint64_t offset) const;

  std::filesystem::path folder_;
  int file_ = -1;
  mutable std::mutex mutex_;
  std::vector<List> lists_;
  std::uint64_t end_ = 0;  ///< of the file, in bytes
};

}  // namespace headroom::encoders
