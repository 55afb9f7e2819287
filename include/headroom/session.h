#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace headroom {

class Engine;

enum class LogLevel { trace, debug, info, warning, error, off };

/// How far a piece of long work has come.
struct ProgressReport {
  std::string_view title;  ///< what is being done: "encode"
  std::string_view unit;   ///< one of the things that are counted: "molecule"
  std::size_t done = 0;
  std::size_t total = 0;  ///< 0 where it is not known
  double per_second = 0;
  std::string_view note = {};  ///< a short text after the figures, such as the loss of a batch; may be empty
  bool finished = false;       ///< the last report of this work; `done` may be less than `total`
};

/// Where a session sends its log and its progress. Both functions are called from any thread, one call
/// at a time, and must return soon; exceptions that they throw are ignored.
struct SessionOptions {
  /// Lines of the log from this level on.
  LogLevel log_level = LogLevel::info;
  /// Takes the lines of the log, one text each. Empty: they are written to stderr.
  std::function<void(LogLevel level, std::string_view text)> log = {};
  /// Takes reports of progress: at most ten a second for each work, and the last. Empty: drawn on stderr.
  std::function<void(const ProgressReport&)> progress = {};
  /// Suppresses information and progress; the log keeps its level.
  bool quiet = false;
};

/// A program's access to Headroom. It owns what would otherwise be global to the process: the request to
/// stop, the log and the progress.
///
/// A process can have one open session at a time. Memory budgets and the allocator of PyTorch belong to the
/// whole process, and two sessions would break them.
class Session {
 public:
  /// Throws UsageError where another session is open in this process.
  explicit Session(SessionOptions options = {});
  /// Ends the session. The caller makes sure that no call of its engine is running.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Asks the call that is running to stop: it keeps what is finished and throws Interrupted. Without effect
  /// where no call is running. Safe from any thread.
  void stop() noexcept;

 private:
  struct Members;
  std::unique_ptr<Members> members_;
};

/// The verbs of Headroom, usable while the session is open. Calls from several threads take their turns: one
/// runs, the others wait.
Engine& engine(Session& session);

}  // namespace headroom
