#include <cstdlib>

#include "core/checksum_list.h"
#include "fuzzed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto list = headroom::ChecksumList::parse(text);
  if (list && list->text() != text) {
    std::abort();  // a list that is taken says all that stands in it
  }
  return 0;
}
