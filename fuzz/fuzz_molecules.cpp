#include <array>

#include "fuzzed.h"
#include "molecules/files/molecule_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::array names = {"fuzzed.smi", "fuzzed.sdf", "fuzzed.csv", "fuzzed.tsv"};
  if (size == 0) {
    return 0;
  }
  return molgauge::fuzz::allow_input_errors([&] {
    const auto path = molgauge::fuzz::file_of(data + 1, size - 1, names[data[0] % names.size()]);
    const auto reader = molgauge::io::open_molecules(path.string());
    while (reader->next()) {
    }
  });
}
