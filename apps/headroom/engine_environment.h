#pragma once

#include <string>

namespace headroom::cli {

/// Makes the environment such that the engine's libraries can be loaded, for they read it once, when they are
/// loaded, and do not ask whether what they take is there:
///
/// - numbers of threads (OMP_NUM_THREADS and its like) that are none, or exceed kMostThreads, become the
/// number
///   of processors: the OpenMP library would end the program with a signal;
/// - where the address space or the data segment is limited (ulimit -v, ulimit -d), `library` is loaded on
/// trial by a child process first, for the matrix library asks again
///   for ever for memory that is refused; when that fails, once more with one thread of OpenMP.
///
/// Throws Error with exit code 4, naming the limits, where the library cannot be loaded within them, and
/// Interrupted after Ctrl-C. Call it before any thread is started.
void prepare_environment(const std::string& library);

/// Whether a number of threads is one that OpenMP can be given: a whole number from 1 to kMostThreads, or
/// several of them, separated by commas, as for nested teams.
bool is_number_of_threads(const std::string& text);

}  // namespace headroom::cli
