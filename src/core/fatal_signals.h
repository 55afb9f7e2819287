#pragma once

namespace headroom {

/// Turns two signals of the file system, which would end the process without a word, into what a user can act
/// on:
/// - SIGXFSZ (a file has reached `ulimit -f`) is ignored, so that the write fails with EFBIG, as on a full
/// disk;
/// - SIGBUS (a mapped file, such as that of a feature store, was cut short by another program, or its disk
///   fails) ends the process with exit code 1 and a message. It cannot go on: the instruction that reads the
///   page has nothing to give. What was committed before stays.
///
/// Once, at the start of a program.
void handle_file_signals();

}  // namespace headroom
