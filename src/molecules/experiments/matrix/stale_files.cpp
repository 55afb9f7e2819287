#include "molecules/experiments/matrix/stale_files.h"

#include "base/core/files/atomic_file.h"

namespace molgauge::matrix {

void write_or_remove(const std::filesystem::path& file, const std::string& text) {
  if (text.empty()) {
    std::filesystem::remove(file);
  } else {
    replace_file(file, text);
  }
}

}  // namespace molgauge::matrix
