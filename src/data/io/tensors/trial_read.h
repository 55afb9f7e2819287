#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace headroom::io {

/// The outcome of a trial read in a child process.
struct Trial {
  enum class Outcome { ended, refused, crashed, took_too_long };
  Outcome outcome = Outcome::ended;
  std::string reason = {};  ///< of `refused`
};

/// Runs `read` in a child process, for libraries that crash on damaged files. `refused`: it threw an
/// InputError. `ended`: it ended in another way. The child shares no memory and returns no result: call
/// `read` again in this process. `patience` is its time limit. If the system refuses a child, the outcome is
/// `ended`. Throws Interrupted if cancellation is requested meanwhile.
Trial try_in_child(std::chrono::seconds patience, const std::function<void()>& read);

}  // namespace headroom::io
