#pragma once

#include <cstddef>
#include <cstdint>

#include "base/io/bytes/random_access.h"
#include "base/io/pickle/pickle_value.h"

namespace molgauge::io {

/// The limits of a pickle.
struct PickleLimits {
  std::size_t values = 20'000'000;
  std::size_t stack = 1'000'000;  ///< maximum number of values and open marks
  std::size_t memo = 10'000'000;
  /// Maximum bytes of all values, texts, references between values, and numbers in the memo.
  std::uint64_t bytes = std::uint64_t{8} << 30;
};

/// Reads a pickle of protocol 2 to 5 as data. Nothing is imported, called or executed. Classes stay names,
/// calls stay descriptions, and bytes stay in the file. Only the structure takes memory. Refuses the opcodes
/// of protocol 0 (except GLOBAL, which protocols 2 and 3 need), of the extension registry and of out-of-band
/// buffers. If the pickle is refused or damaged, throws InputError that starts with the file name and gives
/// the position of the invalid byte.
PickleDocument read_pickle(const RandomAccess& file, const PickleLimits& limits = {});

}  // namespace molgauge::io
