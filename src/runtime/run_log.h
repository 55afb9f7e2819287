#pragma once

#include <filesystem>
#include <string>

#include "core/csv.h"
#include "core/log.h"
#include "runtime/failure_file.h"
#include "runtime/failure_log.h"

namespace headroom::session {

/// The log of a run folder, with all messages of the terminal from the beginning. Create it before anything
/// is read. The file is created only after the folder exists, so a command that is refused earlier leaves no
/// file.
class RunLog {
 public:
  /// Writes the previous log lines and all later ones to `file`. Throws Error.
  void open(const std::filesystem::path& file) { log_.open(file.string()); }

  /// Logs the first hundred molecules that were left out. Writes all of them to failed.csv in the folder of
  /// the log (line, input and reason, after the file if there are several files). If there are none, removes
  /// the failed.csv of an earlier call. Throws Error.
  void keep_failed(const pipeline::FailureLog& failed, const std::filesystem::path& run, CsvTexts texts,
                   pipeline::FailureColumns columns = pipeline::FailureColumns::of_one_file);

  /// Runs `work`. Logs an exception and rethrows it.
  template <typename Work>
  auto keep_error_of(Work work) {
    try {
      return work();
    } catch (const std::exception& failure) {
      log_.append(LogLevel::error, failure.what());
      throw;
    }
  }

 private:
  LogFile log_;
};

}  // namespace headroom::session
