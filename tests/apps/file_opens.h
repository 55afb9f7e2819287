#pragma once

#include <array>
#include <stdexcept>
#include <string>

#include <sys/inotify.h>
#include <unistd.h>

namespace molgauge::test {

/// Counts how often processes open a file.
class FileOpens {
 public:
  explicit FileOpens(const std::string& file) : descriptor_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    if (descriptor_ < 0 || inotify_add_watch(descriptor_, file.c_str(), IN_OPEN | IN_CLOSE) < 0) {
      throw std::runtime_error(file + ": cannot be watched");
    }
  }
  ~FileOpens() { close(descriptor_); }
  FileOpens(const FileOpens&) = delete;
  FileOpens& operator=(const FileOpens&) = delete;

  /// Returns how often the file was opened since the last call. The kernel merges identical consecutive
  /// events, so the constructor also watches close events.
  int count() const {
    alignas(inotify_event) std::array<char, 4096> events{};
    int opens = 0;
    for (ssize_t bytes; (bytes = read(descriptor_, events.data(), events.size())) > 0;) {
      for (ssize_t at = 0; at < bytes;) {
        const auto* const event = reinterpret_cast<const inotify_event*>(events.data() + at);
        opens += (event->mask & IN_OPEN) != 0 ? 1 : 0;
        at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      }
    }
    return opens;
  }

 private:
  int descriptor_;
};

}  // namespace molgauge::test
