#pragma once

#include <cstddef>

namespace headroom {

/// More threads than any verb can use: with more, libraries end the program with a signal.
inline constexpr std::size_t kMaxThreads = 1024;

}  // namespace headroom
