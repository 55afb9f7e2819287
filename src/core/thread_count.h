#pragma once

#include <cstddef>

namespace headroom {

/// The largest number of threads that can be requested. With more threads, libraries end the program with a
/// signal.
inline constexpr std::size_t kMaxThreads = 1024;

}  // namespace headroom
