#pragma once

#include <functional>
#include <string>

#include <sys/types.h>

namespace headroom::store::test {

/// Runs `work` in a child process, which must be forked while this process has no store open. The child ends
/// without running destructors: 0 when `work` returns true, 1 when it returns false or throws (the text goes
/// to stderr).
pid_t start_child(const std::function<bool()>& work);

/// Waits for the child: "exit 0", "signal 9" and the like.
std::string wait_for_child(pid_t child);

inline std::string run_in_child(const std::function<bool()>& work) {
  return wait_for_child(start_child(work));
}

/// A pipe between a parent and its children. Children that were forked later have both ends open.
class Pipe {
 public:
  Pipe();
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  /// Ends this process's part in writing, so that receive() ends with the last other writer.
  void close_writing_end();
  void send(int value) const;
  /// False when every writing end is closed.
  bool receive(int& value) const;

 private:
  int ends_[2] = {-1, -1};
};

}  // namespace headroom::store::test
