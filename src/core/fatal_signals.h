#pragma once

namespace headroom {

/// Turns two signals of the file system, which would end the process without a message, into errors that a
/// user can understand:
/// - SIGXFSZ (a file has reached `ulimit -f`) is ignored, so that the write fails with EFBIG, as on a full
/// disk;
/// - SIGBUS (a mapped file, such as that of a feature store, was cut short by another program, or its disk
///   fails) ends the process with exit code 1 and a message. It cannot continue: the instruction that reads
///   the page has no data to return. Work that was committed before stays.
///
/// Call it once, at the start of a program.
void handle_file_signals();

}  // namespace headroom
