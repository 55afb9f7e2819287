#include "fuzzed.h"

#include <fstream>

#include <unistd.h>

namespace molgauge::fuzz {
namespace {

/// The folder is removed when the process ends normally.
class OwnFolder {
 public:
  OwnFolder() {
    const std::filesystem::path base =
        std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path();
    path_ = base / ("molgauge-fuzz-" + std::to_string(getpid()));
    std::filesystem::create_directories(path_);
  }
  ~OwnFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

std::filesystem::path file_of(const std::uint8_t* data, std::size_t size, const std::string& name) {
  static const OwnFolder folder;
  const auto path = folder.path() / name;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  return path;
}

}  // namespace molgauge::fuzz
