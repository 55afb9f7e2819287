#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace molgauge::test {

/// The outcome of one `molgauge ...` call.
struct Outcome {
  int exit_code = -1;  ///< exit code, or -1 if a signal ended the process
  int signal = 0;
  /// The highest resident memory of the process. Linux also counts the copy of the test process that started
  /// the command. A test that expects small peaks must therefore not use much memory itself.
  std::uint64_t peak_resident_bytes = 0;
  /// The processor time of all threads. It does not depend on other work of the machine.
  std::chrono::nanoseconds processor_time{0}, processor_time_after_interrupt{0};
  std::string out, err;
};

struct CommandOptions {
  std::string stdin_text;
  std::map<std::string, std::string> environment;            ///< added to the environment of the test
  std::optional<std::chrono::milliseconds> kill_after;       ///< SIGKILL after this time
  std::optional<std::chrono::milliseconds> interrupt_after;  ///< SIGINT after this time
  std::function<bool()> kill_when;                           ///< SIGKILL as soon as this returns true
  std::optional<std::uint64_t> largest_file_bytes;           ///< RLIMIT_FSIZE: simulates a full disk
  std::map<int, std::uint64_t> limits = {};                  ///< limits by resource, for example RLIMIT_AS
  std::optional<unsigned> run_as = {};                       ///< number of another user, only for root
  bool stderr_is_terminal = false;                           ///< 80 columns wide
  std::filesystem::path program;                             ///< path of the program; by default, the program
                                                             ///< of this build
};

/// Runs the command line with these arguments and waits for it.
Outcome molgauge(const std::vector<std::string>& arguments, const CommandOptions& options = {});

}  // namespace molgauge::test
