#pragma once

#include <filesystem>
#include <string>

#include "core/csv.h"
#include "core/log.h"
#include "runtime/failure_file.h"
#include "runtime/failure_log.h"

namespace headroom::session {

/// The log of a run folder: the messages of the terminal from the beginning on. Make it before anything is
/// read; the file exists once the folder does, and a command that is refused before leaves no file.
class RunLog {
 public:
  /// Appends earlier log lines, and from now on every line, to `file`. Throws Error.
  void open(const std::filesystem::path& file) { log_.open(file.string()); }

  /// Logs the first hundred molecules that were left out, and writes all of them to failed.csv in the folder
  /// of the log (line, input, reason; with the file first if there are several). Removes the failed.csv of an
  /// earlier call when there is none. Throws Error.
  void keep_failed(const pipeline::FailureLog& failed, const std::filesystem::path& run, CsvTexts texts,
                   pipeline::FailureColumns columns = pipeline::FailureColumns::of_one_file);

  /// Runs `work`; an exception is logged and rethrown.
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
