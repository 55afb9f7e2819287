#pragma once

#include <string>

namespace molgauge {

/// Returns the path of one of Molgauge's own libraries. These libraries are in one folder. If `name` is not
/// in this folder, returns `name` itself, so that the dynamic linker searches for the library.
std::string own_library(const std::string& name);

/// Prepares the environment variables before `library` and its dependencies are loaded. The libraries read
/// them only once, while they are loaded, and some values would end or block the program.
///
/// If a number of threads (OMP_NUM_THREADS and similar variables) is invalid or exceeds kMaxThreads, it is
/// replaced by the number of processors. Otherwise the OpenMP library would end the program with a signal.
///
/// If the address space or the data segment is limited (ulimit -v, ulimit -d), a child process first tries to
/// load the library, because a matrix library repeats a refused request for memory forever. If the trial
/// fails, it is repeated with a single OpenMP thread.
///
/// If the library cannot be loaded within the limits, throws Error with exit code 4. The message names the
/// limits. Throws Interrupted after Ctrl-C. Call it before any thread is started.
void prepare_loading(const std::string& library);

/// Returns true if OpenMP accepts the text as a number of threads. The text is a whole number from 1 to
/// kMaxThreads, or a list of such numbers for nested teams, separated by commas.
bool is_number_of_threads(const std::string& text);

}  // namespace molgauge
