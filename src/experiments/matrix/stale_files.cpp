#include "experiments/matrix/stale_files.h"

#include "core/atomic_file.h"

namespace headroom::matrix {

void write_or_remove(const std::filesystem::path& file, const std::string& text) {
  if (text.empty()) {
    std::filesystem::remove(file);
  } else {
    replace_file(file, text);
  }
}

}  // namespace headroom::matrix
