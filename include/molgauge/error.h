#pragma once

#include <stdexcept>
#include <string>

namespace molgauge {

/// Exit codes of the command line (docs/reference/exit-codes.md), and the status codes of the C API.
enum class ExitCode {
  done = 0,
  failed = 1,         ///< any error without another code
  wrong_usage = 2,    ///< an option that is unknown, contradicts another one or has no effect
  input_refused = 3,  ///< an invalid file, no valid molecule, or leakage between the parts of a benchmark
  over_budget = 4,    ///< the work does not fit the memory budget even with the smallest batch
  interrupted = 130,  ///< the user pressed Ctrl-C. Finished work is kept
};

/// An error that the user can act on: a failure of the input, the disk or the machine. The text names
/// the file, the line, the reason and the remedy, as far as they apply. Assertions report bugs.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& text, ExitCode code = ExitCode::failed)
      : std::runtime_error(text), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/// The command or request is contradictory, or an option in it has no effect.
class UsageError : public Error {
 public:
  explicit UsageError(const std::string& text) : Error(text, ExitCode::wrong_usage) {}
};

/// A file or record is malformed, or it is of another kind than expected.
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

}  // namespace molgauge
