// Parses texts of out-of-memory errors and explains them.

#include "fuzzed.h"
#include "memgauge/explain/message_explanation.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return molgauge::fuzz::allow_input_errors([&] {
    const std::string text(reinterpret_cast<const char*>(data), size);
    molgauge::allocator::explain_message(text, "message");
  });
}
