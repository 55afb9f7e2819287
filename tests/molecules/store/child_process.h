#pragma once

#include <functional>
#include <string>

#include <sys/types.h>

namespace molgauge::store::test {

/// Runs `work` in a child process. This process must not have an open store. The child ends without running
/// destructors. Its exit code is 0 if `work` returns true, and 1 if it returns false or throws. The error
/// goes to stderr.
pid_t start_child(const std::function<bool()>& work);

/// Waits for the child. Returns "exit 0", "signal 9" and so on.
std::string wait_for_child(pid_t child);

inline std::string run_in_child(const std::function<bool()>& work) {
  return wait_for_child(start_child(work));
}

/// A pipe between a parent and its children. Children that are forked later have both ends open.
class Pipe {
 public:
  Pipe();
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  /// Closes the writing end of this process. receive() then ends when the last other writer ends.
  void close_writing_end();
  void send(int value) const;
  /// Returns false if every writing end is closed.
  bool receive(int& value) const;

 private:
  int ends_[2] = {-1, -1};
};

}  // namespace molgauge::store::test
