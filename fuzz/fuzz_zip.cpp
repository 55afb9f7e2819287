#include "base/io/bytes/random_access.h"
#include "base/io/bytes/zip.h"
#include "fuzzed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return molgauge::fuzz::allow_input_errors([&] {
    const auto bytes = molgauge::fuzz::bytes_of(data, size);
    const molgauge::io::ZipArchive archive(
        molgauge::io::random_access_in_memory("fuzzed", {bytes.begin(), bytes.end()}),
        {.entries = 1000, .entry_bytes = 1 << 24});
    for (const auto& name : archive.names()) {
      archive.read(name);
    }
  });
}
