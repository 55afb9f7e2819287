#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::test {

/// How one `headroom ...` went, seen from outside.
struct Outcome {
  int exit_code = -1;  ///< -1 when a signal ended it
  int signal = 0;
  /// Resident memory of the process at its highest. Linux counts the copy of the test's own process, from
  /// which the command was started, too: a test that asserts small peaks must not hold much memory itself.
  std::uint64_t peak_resident_bytes = 0;
  std::string out, err;
};

struct CommandOptions {
  std::string stdin_text;
  std::map<std::string, std::string> environment;            ///< added to the test's own
  std::optional<std::chrono::milliseconds> kill_after;       ///< SIGKILL then
  std::optional<std::chrono::milliseconds> interrupt_after;  ///< SIGINT then
  std::function<bool()> kill_when;                           ///< SIGKILL as soon as it says so
  std::optional<std::uint64_t> largest_file_bytes;           ///< RLIMIT_FSIZE: a stand-in for a full disk
  std::map<int, std::uint64_t> limits = {};                  ///< by resource: RLIMIT_AS and the like
  std::optional<unsigned> run_as = {};                       ///< number of another user; for root alone
  bool stderr_is_terminal = false;                           ///< 80 columns wide
  std::filesystem::path program;                             ///< by default the one of this build
};

/// Runs the command line with these arguments and waits for it.
Outcome headroom(const std::vector<std::string>& arguments, const CommandOptions& options = {});

}  // namespace headroom::test
