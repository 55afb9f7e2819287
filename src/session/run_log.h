#pragma once

#include <filesystem>
#include <string>

#include "core/csv.h"
#include "core/log.h"
#include "pipeline/failure_log.h"
#include "pipeline/feature_file.h"

namespace headroom::session {

/// The log of a run folder: what the terminal was told, from the beginning of the command on. Made before
/// anything is read; the file is there once the folder is, and a command that is refused before leaves none.
class RunLog {
 public:
  /// Appends to `file` what has been logged so far, and from now on every line. Throws Error.
  void open(const std::filesystem::path& file) { log_.open(file.string()); }

  /// Logs molecules that were left out, a hundred of them, and writes all of them to failed.csv in the folder
  /// of the log (line, input, reason; of molecules of several files the file first); one of an earlier call
  /// is removed when there is none. Throws Error.
  void keep_failed(const pipeline::FailureLog& failed, const std::filesystem::path& run, CsvTexts texts,
                   pipeline::FailureColumns columns = pipeline::FailureColumns::of_one_file);

  /// Runs `work`; the error that ends it is logged and goes on.
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
