#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace headroom::io {

/// The end of a reading in a child process.
struct Trial {
  enum class Outcome { ended, refused, crashed, took_too_long };
  Outcome outcome = Outcome::ended;
  std::string reason = {};  ///< of `refused`
};

/// Runs `read` in a child process, for libraries that crash on damaged files. `refused`: it threw an
/// InputError. `ended`: it came to its end in another way. The child shares no memory and gives no result:
/// call `read` again in this process. It has the time `patience`. If the system refuses a child, the outcome
/// is `ended`. Throws Interrupted if cancellation is requested meanwhile.
Trial try_in_child(std::chrono::seconds patience, const std::function<void()>& read);

}  // namespace headroom::io
