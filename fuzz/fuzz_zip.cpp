#include "data/io/bytes/random_access.h"
#include "data/io/bytes/zip.h"
#include "fuzzed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return headroom::fuzz::allow_input_errors([&] {
    const auto bytes = headroom::fuzz::bytes_of(data, size);
    const headroom::io::ZipArchive archive(
        headroom::io::random_access_in_memory("fuzzed", {bytes.begin(), bytes.end()}),
        {.entries = 1000, .entry_bytes = 1 << 24});
    for (const auto& name : archive.names()) {
      archive.read(name);
    }
  });
}
