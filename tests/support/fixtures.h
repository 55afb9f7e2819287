#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace molgauge::test {

/// A file in tests/fixtures of this repository.
std::filesystem::path own_data(const std::string& name);

/// A file of the reference fixtures. Their folder is $MOLGAUGE_REFERENCE_DATA, by default the folder in the
/// CMake cache. The file may be absent.
std::filesystem::path reference_data(const std::string& name);

/// The number after `tag` in the name of a fixture array: 2000 for ".id" in "pairs.id2000.seed1". Throws
/// std::invalid_argument if there is none.
std::uint64_t number_after(const std::string& tag, const std::string& name);

/// A new folder that is removed with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace molgauge::test

/// Skips the test with a message if the reference fixtures are absent.
#define REQUIRE_REFERENCE(name)                                                                     \
  if (!std::filesystem::exists(molgauge::test::reference_data(name))) {                             \
    GTEST_SKIP() << "reference fixture " << molgauge::test::reference_data(name) << " is not here"; \
  }                                                                                                 \
  static_assert(true, "")
