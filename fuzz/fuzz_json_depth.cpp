#include "base/core/json/json_reader.h"
#include "fuzzed.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Checking, parsing, copying and writing deeply nested JSON must not overflow the stack.
  const auto value = molgauge::parse_json_or_nothing(text);
  const auto copy = value;
  if (!copy.is_discarded()) {
    static_cast<void>(copy.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  return 0;
}
