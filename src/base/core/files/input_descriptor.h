#pragma once

#include <atomic>
#include <filesystem>
#include <string>

namespace molgauge {

/// Opens a file for reading, like open(2): returns the descriptor, or -1 with errno. Waits for the writer of
/// a named pipe. Throws Interrupted after Ctrl-C.
int open_for_reading(const std::filesystem::path& path);

/// Waits until a descriptor has something to read or has come to its end. Throws Interrupted after Ctrl-C.
void wait_until_readable(int descriptor);

/// While this object exists, wait_until_readable() in this thread throws Interrupted as soon as the flag is
/// true. Another thread sets the flag when the input is no longer needed. Objects of this class can be
/// nested. The flag must outlive the object.
class EndsWaiting {
 public:
  explicit EndsWaiting(const std::atomic<bool>& flag);
  ~EndsWaiting();
  EndsWaiting(const EndsWaiting&) = delete;
  EndsWaiting& operator=(const EndsWaiting&) = delete;

 private:
  const std::atomic<bool>* former_;
};

/// Returns the whole content of a file that the user names. The file may be a pipe, which read_file()
/// (base/core/files/atomic_file.h) does not accept. Throws InputError if it cannot be read, and Interrupted
/// after Ctrl-C.
std::string read_input_file(const std::filesystem::path& path);

}  // namespace molgauge
