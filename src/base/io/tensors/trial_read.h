#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace molgauge::io {

/// The outcome of a trial read in a child process.
struct Trial {
  enum class Outcome { ended, refused, crashed, took_too_long };
  Outcome outcome = Outcome::ended;
  std::string reason = {};  ///< message of the InputError, if the outcome is `refused`
};

/// Runs `read` in a child process, for libraries that crash on damaged files. The outcome is `refused` if
/// `read` threw an InputError. It is `ended` if `read` returned or threw another exception, or if the system
/// did not start a child. The child returns no result, so the caller must call `read` again in this process.
/// `patience`: time limit of the child. Throws Interrupted if the user asks to stop.
Trial try_in_child(std::chrono::seconds patience, const std::function<void()>& read);

}  // namespace molgauge::io
