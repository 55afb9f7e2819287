#pragma once

#include <filesystem>
#include <string>

#include "base/core/session/log.h"
#include "base/core/text/csv.h"
#include "base/runtime/failure_file.h"
#include "base/runtime/failure_log.h"

namespace molgauge::runtime {

/// The log of a run folder. It contains all messages that the command writes to the terminal. Create the
/// object before the command reads anything. open() creates the file later, so a command that is refused
/// before open() does not leave a file.
class RunLog {
 public:
  /// Writes the previous and all later log lines to `file`. Throws Error if the file cannot be opened.
  void open(const std::filesystem::path& file) { log_.open(file.string()); }

  /// Logs the first hundred molecules that were left out. Writes all left-out molecules to failed.csv in the
  /// run folder. The columns are line, input and reason. If there are several input files, the column file
  /// comes first. If no molecule was left out, removes the failed.csv of an earlier call. Throws Error if
  /// failed.csv cannot be written or removed.
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

}  // namespace molgauge::runtime
