#include <array>

#include "fuzzed.h"
#include "molecules/store/features/stored_row.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::array<float, 8> row{};
  molgauge::store::unpack_row(molgauge::Hash128{}, molgauge::fuzz::bytes_of(data, size), row);
  return 0;
}
