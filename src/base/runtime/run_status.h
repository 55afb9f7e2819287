#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/core/text/duration.h"

namespace molgauge::runtime {

/// The current state of a run for `molgauge memory watch`. RUN/status.json is replaced when a phase begins or
/// ends, and at most every half second within phases. The status is not a result, so failed writes are
/// ignored and files are not synced.
///
/// Not thread-safe.
class RunStatus {
 public:
  /// `budget`: in bytes. The folder `run` must exist.
  RunStatus(std::filesystem::path run, std::uint64_t budget);
  /// Records in status.json that the run has ended.
  ~RunStatus();
  RunStatus(const RunStatus&) = delete;
  RunStatus& operator=(const RunStatus&) = delete;

  void set_phase(const std::string& phase);
  void set_batch(std::string text);
  void began(std::string_view name);
  void ended();

 private:
  void write(bool running);
  void phases_changed();

  const std::filesystem::path run_;
  const std::uint64_t budget_;
  std::vector<std::string> phases_;  ///< outermost first
  std::string batch_;
  std::optional<Stopwatch> since_write_;
};

/// The content of status.json.
struct RunStatusFile {
  long pid = 0;
  bool running = false;
  std::string phase, batch;
  std::uint64_t budget_bytes = 0;
};

/// Reads status.json. Returns nothing if it does not exist. Throws InputError with the file if it is damaged.
std::optional<RunStatusFile> read_run_status(const std::filesystem::path& run);

}  // namespace molgauge::runtime
