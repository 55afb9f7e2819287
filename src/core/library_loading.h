#pragma once

#include <string>

namespace headroom {

/// One of Headroom's own libraries, which lie in one folder: with its path there, or by its name alone where
/// it lies elsewhere, for the system to look for.
std::string own_library(const std::string& name);

/// Prepares the environment in which `library` and its dependencies are loaded. They read it once, when they
/// are loaded, and they do not survive what it may hold.
///
/// Numbers of threads (OMP_NUM_THREADS and the like) that are no numbers, or exceed kMostThreads, become the
/// number of processors: the OpenMP library would end the program with a signal.
///
/// Where the address space or the data segment is limited (ulimit -v, ulimit -d), a child process loads the
/// library on trial, because a matrix library repeats a refused request for memory for ever. When the trial
/// fails, it is repeated with one thread of OpenMP.
///
/// Throws Error with exit code 4, naming the limits, where the library cannot be loaded within them, and
/// Interrupted after Ctrl-C. Call it before any thread is started.
void prepare_loading(const std::string& library);

/// Whether a number of threads is one that OpenMP can be given: a whole number from 1 to kMostThreads, or
/// several of them, separated by commas, as for nested teams.
bool is_number_of_threads(const std::string& text);

}  // namespace headroom
