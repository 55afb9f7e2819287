#include "fuzzed.h"
#include "molecules/chem/mol_block_counts.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  molgauge::chem::excessive_claim({reinterpret_cast<const char*>(data), size});
  return 0;
}
