#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/duration.h"

namespace headroom::session {

/// The present state of a run, for `headroom memory watch`: RUN/status.json, replaced when a phase begins or
/// ends, and within phases every half second at most. It is not a result: a failed write is ignored, and
/// files are not synced.
///
/// Thread safety: none.
class RunStatus {
 public:
  /// `budget`: bytes. The folder must exist.
  RunStatus(std::filesystem::path run, std::uint64_t budget);
  /// Writes that the run has ended.
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

/// None where the folder has no status.json. Throws InputError naming the file when it is damaged.
std::optional<RunStatusFile> read_run_status(const std::filesystem::path& run);

}  // namespace headroom::session
