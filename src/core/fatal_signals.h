#pragma once

namespace headroom {

/// Turns two signals of the file system, which would end the process without a message, into errors that a
/// user can understand:
/// - SIGXFSZ (a file has reached `ulimit -f`) is ignored, so that the write fails with EFBIG, as on a full
/// disk;
/// - SIGBUS ends the process with exit code 1 and a message. Its cause is a mapped file, for example of a
/// feature store, that another program has truncated, or a failing disk. The process cannot continue, because
/// the instruction that reads the page has no data to return. Committed work stays.
///
/// Call it once, at the start of a program.
void handle_file_signals();

}  // namespace headroom
