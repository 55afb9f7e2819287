#include "base/io/tables/csv_reader.h"
#include "fuzzed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return molgauge::fuzz::allow_input_errors([&] {
    // Gzip is recognised by its first bytes, so unpacking is fuzzed too.
    molgauge::io::CsvReader reader(molgauge::fuzz::file_of(data, size, "fuzzed.csv").string(), ',');
    while (reader.next()) {
    }
  });
}
