#pragma once

#include <stdexcept>
#include <string>

namespace headroom {

/// Exit codes of the command line (docs/reference/exit-codes.md), and the status codes of the C API.
enum class ExitCode {
  done = 0,
  failed = 1,         ///< any error without a code below
  wrong_usage = 2,    ///< an option that does not exist, does not fit or has no effect in this mode
  input_refused = 3,  ///< bad file, no valid molecule, leakage between splits
  over_budget = 4,    ///< does not fit the memory budget even at the smallest batch
  interrupted = 130,  ///< Ctrl-C; finished work is kept
};

/// An error for the user. Its text gives the file, the line, the reason and the remedy, as far as they apply.
/// It reports failures of input, disk or machine. Assertions report bugs.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& text, ExitCode code = ExitCode::failed)
      : std::runtime_error(text), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/// A command or request that asks for something contradictory or without effect.
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& text) : Error(text, ExitCode::wrong_usage) {}
};

/// A file or record that is malformed, or of another kind than it should be.
class InputError : public Error {
 public:
  explicit InputError(const std::string& text) : Error(text, ExitCode::input_refused) {}
};

/// The user asked to stop.
class Interrupted : public Error {
 public:
  explicit Interrupted(const std::string& text = "stopped. Finished work is kept")
      : Error(text, ExitCode::interrupted) {}
};

}  // namespace headroom
