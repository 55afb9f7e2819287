#pragma once

#include <cstddef>

namespace molgauge {

/// The largest number of threads that can be requested. With more threads, libraries end the program with a
/// signal.
inline constexpr std::size_t kMaxThreads = 1024;

}  // namespace molgauge
