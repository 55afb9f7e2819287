#pragma once

#include <chrono>
#include <functional>

namespace headroom::io {

enum class TrialOutcome { ended, crashed, took_too_long };

/// Runs `read` in a child process, for libraries that crash on damaged files. `ended`: it came to its end,
/// with a result or an exception. The child shares no memory and gives no result: call `read` again in this
/// process. It has the time `patience`. If the system refuses a child, the outcome is `ended`. Throws
/// Interrupted if cancellation is requested meanwhile.
TrialOutcome try_in_child(std::chrono::seconds patience, const std::function<void()>& read);

}  // namespace headroom::io
