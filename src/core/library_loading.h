#pragma once

#include <string>

namespace headroom {

/// The path of one of Headroom's own libraries, which are in one folder; only its name where it is
/// elsewhere, so that the system looks for it.
std::string own_library(const std::string& name);

/// Prepares the environment in which `library` and its dependencies are loaded. They read it once, when they
/// are loaded, and some of its values would end the program or block it.
///
/// Numbers of threads (OMP_NUM_THREADS and the like) that are invalid, or exceed kMaxThreads, become the
/// number of processors: the OpenMP library would end the program with a signal.
///
/// Where the address space or the data segment is limited (ulimit -v, ulimit -d), a child process loads the
/// library on trial, because a matrix library repeats a refused request for memory for ever. When the trial
/// fails, it is repeated with one thread of OpenMP.
///
/// Throws Error with exit code 4, naming the limits, where the library cannot be loaded within them, and
/// Interrupted after Ctrl-C. Call it before any thread is started.
void prepare_loading(const std::string& library);

/// Whether OpenMP accepts the text as a number of threads: a whole number from 1 to kMaxThreads, or
/// several of them, separated by commas, as for nested teams.
bool is_number_of_threads(const std::string& text);

}  // namespace headroom
