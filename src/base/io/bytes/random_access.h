#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace molgauge::io {

/// Bytes with random access: a file, or a file inside another file.
///
/// Thread safety: any number of reads at once.
class RandomAccess {
 public:
  virtual ~RandomAccess() = default;

  /// The name for messages: the path, or "ARCHIVE: ENTRY".
  const std::string& name() const { return name_; }
  std::uint64_t size() const { return size_; }

  /// Fills `target` with the bytes that start at `offset`. Throws InputError naming the file if the file is
  /// too short.
  void read(std::uint64_t offset, std::span<std::byte> target) const;
  /// Returns the `count` bytes that start at `offset`. Checks the size before it allocates.
  std::vector<std::byte> read(std::uint64_t offset, std::uint64_t count) const;

 protected:
  RandomAccess(std::string name, std::uint64_t size) : name_(std::move(name)), size_(size) {}

 private:
  void require(std::uint64_t offset, std::uint64_t count) const;
  virtual void copy(std::uint64_t offset, std::span<std::byte> target) const = 0;

  std::string name_;
  std::uint64_t size_;
};

/// Opens a regular file. Throws InputError naming the file if it is missing, a folder or unreadable.
std::unique_ptr<RandomAccess> open_random_access(const std::filesystem::path& path);

/// Bytes in memory, with the name for messages.
std::unique_ptr<RandomAccess> random_access_in_memory(std::string name, std::vector<std::byte> bytes);

}  // namespace molgauge::io
