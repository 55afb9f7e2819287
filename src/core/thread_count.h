#pragma once

#include <cstddef>

namespace headroom {

/// More threads than any verb can use: beyond, libraries below us end the program with a signal.
inline constexpr std::size_t kMostThreads = 1024;

}  // namespace headroom
