#include "molecules/encoding/session/output_requirements.h"

#include <algorithm>

#include "molecules/chem/perception.h"
#include "molecules/encoding/pipeline/feature_file.h"
#include "molecules/encoding/pipeline/fine_file.h"

namespace molgauge::session {

runtime::MemoryRequirement host_need(std::string what, std::uint64_t bytes) {
  return {.what = std::move(what), .host_bytes = kLeftByEncoding + bytes, .device_bytes = 0};
}

runtime::MemoryRequirement need_of_feature_file(const std::filesystem::path& path, std::size_t rows,
                                                std::size_t width) {
  return host_need("writing " + path.string(),
                   pipeline::feature_file_bytes(path, rows, width) + rows * sizeof(Hash128));
}

runtime::MemoryRequirement need_of_fine_file(const std::filesystem::path& path, std::size_t records,
                                             const encoders::Encoder& encoder) {
  const std::uint64_t largest = encoder.fine_bytes(encoder.estimate({.atoms = chem::kMaxAtoms}));
  return host_need("writing " + path.string(),
                   pipeline::fine_file_bytes(records, largest) + records * sizeof(Hash128));
}

}  // namespace molgauge::session
