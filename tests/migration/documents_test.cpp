// docs/migrating.md says what the program does, and names tests that exist.

#include <filesystem>
#include <regex>

#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "migration/old_options.h"

namespace headroom::migration {
namespace {

std::string guide() { return read_file(std::filesystem::path(HEADROOM_DOCUMENTS) / "migrating.md"); }

TEST(MigratingGuide, HasTheTableOfOptionsAsTheProgramPrintsIt) {
  EXPECT_NE(guide().find(old_options_as_markdown()), std::string::npos)
      << "put the output of `headroom migrate --options` under \"Every option\"";
}

/// The sources of all tests, one text.
std::string test_sources() {
  std::string text;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(HEADROOM_TESTS)) {
    if (entry.path().extension() == ".cpp") {
      text += read_file(entry.path());
    }
  }
  return text;
}

TEST(MigratingGuide, NamesTestsThatExist) {
  const std::string text = guide(), sources = test_sources();
  const std::regex name("`([A-Z][A-Za-z]+)\\.([A-Z][A-Za-z]+)`");
  std::size_t named = 0;
  for (std::sregex_iterator match(text.begin(), text.end(), name), last; match != last; ++match, ++named) {
    const std::string head = "(" + match->str(1) + ", " + match->str(2) + ")";
    EXPECT_NE(sources.find(head), std::string::npos) << match->str();
  }
  EXPECT_GE(named, 15u);
}

}  // namespace
}  // namespace headroom::migration
