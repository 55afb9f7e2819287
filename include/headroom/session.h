#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace headroom {

class Engine;

enum class LogLevel { trace, debug, info, warning, error, off };

/// The progress of long work.
struct ProgressReport {
  std::string_view title;  ///< the name of the work, for example "encode"
  std::string_view unit;   ///< the name of a counted thing, for example "molecule"
  std::size_t done = 0;
  std::size_t total = 0;  ///< total number of units; 0: unknown
  double per_second = 0;
  std::string_view note = {};  ///< a short text after the figures, such as the loss of a batch; may be empty
  bool finished = false;       ///< the last report of this work; `done` may be less than `total`
};

/// Receivers of the log and of the progress of a session. The functions are called from any thread, one call
/// at a time. They must return soon. Their exceptions are ignored.
struct SessionOptions {
  /// Lines below this level are not logged.
  LogLevel log_level = LogLevel::info;
  /// Receives each line of the log. Empty: lines are written to stderr.
  std::function<void(LogLevel level, std::string_view text)> log = {};
  /// Receives reports of progress, at most ten in a second for each work. The last report is always sent.
  /// Empty: progress is drawn on stderr.
  std::function<void(const ProgressReport&)> progress = {};
  /// Suppresses information and progress on the terminal. The log keeps its level.
  bool quiet = false;
};

/// The access of a program to Headroom. A session owns the request to stop, the log and the progress, which
/// would otherwise be global.
///
/// A process can have one open session at a time. Memory budgets and the allocator of PyTorch belong to the
/// whole process, and two sessions would break them.
class Session {
 public:
  /// Throws UsageError if another session is open in this process.
  explicit Session(SessionOptions options = {});
  /// Ends the session. No call of its engine may be running.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Asks the running call to stop. The call keeps finished work and throws Interrupted. Has no effect if no
  /// call is running. Safe from any thread.
  void stop() noexcept;

 private:
  struct Members;
  std::unique_ptr<Members> members_;
};

/// The verbs of Headroom, usable while the session is open. If several threads call, one call runs and the
/// others wait.
Engine& engine(Session& session);

}  // namespace headroom
