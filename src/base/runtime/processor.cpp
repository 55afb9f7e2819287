#include "base/runtime/processor.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string_view>

namespace molgauge::runtime {
namespace {

// The last four are features of Arm processors.
constexpr auto kRelevant = std::to_array<std::string_view>({"avx2", "fma", "f16c", "avx512f", "avx512bw",
                                                            "avx512_vnni", "avx512_bf16", "amx_int8",
                                                            "amx_bf16", "asimd", "asimddp", "i8mm", "bf16"});

std::string value_of(const std::string& line) {
  const auto colon = line.find(": ");
  return colon == std::string::npos ? "" : line.substr(colon + 2);
}

}  // namespace

Processor this_processor() {
  Processor processor;
  processor.model = "unknown model";  // on aarch64, /proc/cpuinfo does not contain the model
  std::ifstream information("/proc/cpuinfo");
  for (std::string line; std::getline(information, line) && !line.empty();) {
    if (line.starts_with("model name")) {
      processor.model = value_of(line);
    } else if (line.starts_with("flags") || line.starts_with("Features")) {
      std::istringstream flags(value_of(line));
      for (std::string flag; flags >> flag;) {
        if (std::find(kRelevant.begin(), kRelevant.end(), flag) != kRelevant.end()) {
          processor.instruction_sets.push_back(flag);
        }
      }
    }
  }
  return processor;
}

}  // namespace molgauge::runtime
