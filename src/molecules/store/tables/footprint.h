#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <lmdb.h>

#include "molecules/store/lmdb/environment.h"
#include "molecules/store/lmdb/lmdb_value.h"

namespace molgauge::store {

/// Counts the memory that a thread has mapped from the store file, so that it can be released in time. The
/// unit is a neighbourhood: 64 KiB around a page, which the kernel maps when the page is read.
class Footprint {
 public:
  explicit Footprint(Environment& environment) : environment_(environment) {}

  /// Announces that these bytes of the map are about to be read.
  void touch(std::span<const std::byte> bytes) {
    const auto first = mapped_chunk(bytes.data());
    const auto last = mapped_chunk(bytes.data() + bytes.size());
    if (first != at_ || last != at_) {
      environment_.count_neighbourhoods(last - first + (first == at_ ? 0 : 1));
      at_ = last;
    }
  }
  void touch(const MDB_val& value) { touch(to_bytes(value)); }

 private:
  static std::uintptr_t mapped_chunk(const std::byte* address) {
    constexpr unsigned kBits = 16;
    return reinterpret_cast<std::uintptr_t>(address) >> kBits;
  }

  Environment& environment_;
  std::uintptr_t at_ = 0;
};

}  // namespace molgauge::store
