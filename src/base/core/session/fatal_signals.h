#pragma once

namespace molgauge {

/// Handles two signals of the file system that would end the process without a message:
/// - SIGXFSZ (a file has reached `ulimit -f`) is ignored, so the write fails with EFBIG, as on a full disk.
/// - SIGBUS ends the process with exit code 1 and a message. The cause is a failing disk, or a mapped file
///   that another program has truncated, for example a file of a feature store. The process cannot continue,
///   because the instruction that reads the page has no data to return. Committed work is kept.
///
/// Call it once, at the start of a program.
void handle_file_signals();

}  // namespace molgauge
