#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace molgauge {

class Engine;

enum class LogLevel { trace, debug, info, warning, error, off };

/// The progress of long work.
struct ProgressReport {
  std::string_view title;  ///< the name of the work, for example "encode"
  std::string_view unit;   ///< the name of a counted thing, for example "molecule"
  std::size_t done = 0;
  std::size_t total = 0;  ///< total number of units. 0 if unknown
  double per_second = 0;
  std::string_view note = {};  ///< a short text after the figures, such as the loss of a batch; may be empty
  bool finished = false;       ///< the last report of this work; `done` may be less than `total`
};

/// The log level and the callbacks of a session. Molgauge calls the callbacks from any thread, but only
/// one thread at a time calls a callback. A callback must return soon. Molgauge ignores its exceptions.
struct SessionOptions {
  /// Lines below this level are not logged.
  LogLevel log_level = LogLevel::info;
  /// Receives each line of the log. If empty, lines are written to stderr.
  std::function<void(LogLevel level, std::string_view text)> log = {};
  /// Receives reports of progress, at most ten per second for each piece of work. The last report is always
  /// sent. If empty, progress is shown on stderr.
  std::function<void(const ProgressReport&)> progress = {};
  /// Suppresses information and progress on the terminal. The log keeps its level.
  bool quiet = false;
};

/// A session gives a program access to Molgauge. It contains the stop request, the log and the progress
/// callback, which would otherwise be global.
///
/// A process can have one open session at a time, because memory budgets and the allocator of PyTorch apply
/// to the whole process.
class Session {
 public:
  /// Throws UsageError if another session is open in this process.
  explicit Session(SessionOptions options = {});
  /// Ends the session. Stops the running call and waits until all calls have ended. No other call may begin
  /// during this time.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Asks the running call to stop. The call keeps its finished work and throws Interrupted. Has no effect if
  /// no call is running. May be called from any thread.
  void stop() noexcept;

 private:
  struct Members;
  std::unique_ptr<Members> members_;
};

/// Returns the engine, which runs the verbs of Molgauge while the session is open. If several threads call
/// the engine, one call runs and the others wait.
Engine& engine(Session& session);

}  // namespace molgauge
