#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "io/pickle_value.h"

namespace headroom::io {

/// Most that a pickle may ask for.
struct PickleLimits {
  std::size_t values = 20'000'000;
  std::size_t stack = 1'000'000;  ///< values, and open marks
  std::size_t memo = 10'000'000;
};

/// Reads a pickle of protocol 2 to 5 as data. Nothing is imported, called or executed: classes stay names,
/// calls stay descriptions. Opcodes of protocol 0 (except GLOBAL, which protocols 2 and 3 need), extension
/// registry and out-of-band buffers are refused. Throws InputError, its text starting with `source`, with the
/// byte at fault.
PickleDocument read_pickle(std::span<const std::byte> bytes, const std::string& source,
                           const PickleLimits& limits = {});

}  // namespace headroom::io
