#include "base/core/files/regular_file.h"

#include <sys/stat.h>

#include "base/core/error.h"
#include "base/core/text/bytes.h"

namespace molgauge {

void require_regular_file(const std::filesystem::path& file, std::uint64_t most) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) {
    return;  // the code that reads the file reports that it is missing
  }
  if (S_ISDIR(status.st_mode)) {
    throw InputError(file.string() + ": is a folder. A file was expected");
  }
  if (!S_ISREG(status.st_mode)) {
    throw InputError(
        file.string() +
        ": is a pipe or a device, not a regular file. Restore the file, or create the folder again");
  }
  if (static_cast<std::uint64_t>(status.st_size) > most) {
    throw InputError(file.string() + ": has " + format_bytes(static_cast<std::uint64_t>(status.st_size)) +
                     ", more than the " + format_bytes(most) + " that such a file may have. It is damaged");
  }
}

}  // namespace molgauge
