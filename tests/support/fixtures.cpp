#include "support/fixtures.h"

#include <cstdlib>
#include <stdexcept>

namespace molgauge::test {

std::filesystem::path own_data(const std::string& name) {
  return std::filesystem::path(MOLGAUGE_TEST_DATA) / name;
}

std::filesystem::path reference_data(const std::string& name) {
  const char* folder = std::getenv("MOLGAUGE_REFERENCE_DATA");
  return std::filesystem::path(folder != nullptr ? folder : MOLGAUGE_REFERENCE_DATA) / name;
}

std::uint64_t number_after(const std::string& tag, const std::string& name) {
  const std::size_t at = name.find(tag);
  if (at == std::string::npos) {
    throw std::invalid_argument("'" + name + "' has no number after '" + tag + "'");
  }
  return std::stoull(name.substr(at + tag.size()));
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "molgauge-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw std::runtime_error("cannot make a temporary folder");
  }
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace molgauge::test
