#include <cstdlib>

#include "base/core/files/checksum_list.h"
#include "fuzzed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto list = molgauge::ChecksumList::parse(text);
  if (list && list->text() != text) {
    std::abort();  // the text of an accepted list must equal its input
  }
  return 0;
}
