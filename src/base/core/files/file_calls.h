#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include <sys/types.h>

namespace molgauge {

/// The system calls that write files. Tests can replace them to simulate failures, partial writes and crashes
/// (tests/support/faulty_files.h).
///
/// Each method returns the result of its system call. If the call fails, the method returns -1 and sets
/// errno.
class FileCalls {
 public:
  virtual ~FileCalls() = default;

  /// Opens an empty file for writing and returns the descriptor.
  virtual int create(const std::filesystem::path& path);
  /// Opens a file for writing, creates it if it does not exist, and truncates it to `size` bytes. Returns the
  /// descriptor.
  virtual int open_to_append(const std::filesystem::path& path, off_t size);
  /// May write fewer bytes than given, as pwrite does.
  virtual ssize_t write(int descriptor, std::span<const std::byte> bytes, off_t offset);
  virtual int close(int descriptor);
  /// Makes the content of a closed file survive a power cut.
  virtual int sync_file(const std::filesystem::path& path);
  /// Makes the names in a folder survive a power cut.
  virtual int sync_folder(const std::filesystem::path& path);
  virtual int rename(const std::filesystem::path& from, const std::filesystem::path& to);
  /// Exchanges two files or folders, as renameat2 does with RENAME_EXCHANGE.
  virtual int exchange(const std::filesystem::path& one, const std::filesystem::path& other);
  virtual int remove(const std::filesystem::path& path);
};

/// Returns the object through which this process writes files.
FileCalls& file_calls();

/// Replaces the object that file_calls() returns, and returns the previous object. nullptr restores the
/// system calls. Only for tests. No other thread may write files at the same time.
FileCalls* exchange_file_calls(FileCalls* calls);

}  // namespace molgauge
