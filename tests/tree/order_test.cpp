// Tests that src/CMakeLists.txt lists the folders of src/ in the order of dependency. A folder includes only
// the folders above it.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace molgauge::test {
namespace {

namespace fs = std::filesystem;

const fs::path kSources = MOLGAUGE_SOURCES;

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The position of each folder, in the order of dependency.
std::map<std::string, int> positions() {
  const std::string text = text_of(kSources / "CMakeLists.txt");
  std::smatch list;
  EXPECT_TRUE(std::regex_search(text, list, std::regex(R"(foreach\(module ([a-z ]+)\))")));
  std::map<std::string, int> order = {{"core", 0}};
  std::istringstream words(list[1]);
  for (std::string word; words >> word;) {
    order.emplace(word, static_cast<int>(order.size()));
  }
  return order;
}

TEST(Tree, AFolderIncludesOnlyFoldersAboveIt) {
  const std::map<std::string, int> order = positions();
  const std::regex include(R"re(#include "([a-z_]+)/)re");
  std::size_t files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kSources)) {
    const std::string extension = entry.path().extension();
    if (extension != ".h" && extension != ".cpp" && extension != ".cu" && extension != ".cuh") {
      continue;
    }
    ++files;
    const fs::path relative = entry.path().lexically_relative(kSources);
    const std::string folder = relative.begin()->string();
    ASSERT_TRUE(order.contains(folder))
        << relative << " is in a folder that src/CMakeLists.txt does not name";
    const std::string text = text_of(entry.path());
    for (std::sregex_iterator found(text.begin(), text.end(), include), end; found != end; ++found) {
      if (const auto other = order.find((*found)[1]); other != order.end()) {
        EXPECT_LE(other->second, order.at(folder)) << relative << " includes " << other->first << "/";
      }
    }
  }
  EXPECT_GT(files, 500U);
}

/// Verb folders that include other verb folders: {folder, included folder}. A new pair needs a reason in
/// docs/decisions/0039-exceptions-of-the-tree.md.
const std::set<std::pair<std::string, std::string>> kVerbIncludes = {
    {"baseline", "train"},   {"doctor", "train"},   {"domain", "predictions"},
    {"domain", "predict"},   {"encode", "domain"},  {"encode", "predictions"},
    {"evaluate", "score"},   {"evaluate", "train"}, {"experiment", "baseline"},
    {"experiment", "train"}, {"pocket", "train"},   {"predictions", "domain"},
    {"report", "pocket"},    {"score", "domain"},   {"score", "predictions"},
    {"train", "baseline"},
};

TEST(Tree, AVerbIncludesOnlyTheVerbsOfTheTable) {
  const std::regex include(R"re(#include "verbs/([a-z_]+)/)re");
  std::set<std::pair<std::string, std::string>> seen;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kSources / "verbs")) {
    const fs::path relative = entry.path().lexically_relative(kSources / "verbs");
    if (!entry.is_regular_file() || !relative.has_parent_path()) {
      continue;
    }
    const std::string verb = relative.begin()->string();
    const std::string text = text_of(entry.path());
    for (std::sregex_iterator found(text.begin(), text.end(), include), end; found != end; ++found) {
      if ((*found)[1] != verb) {
        seen.emplace(verb, (*found)[1]);
        EXPECT_TRUE(kVerbIncludes.contains({verb, (*found)[1]}))
            << "verbs/" << relative.string() << " includes verbs/" << (*found)[1] << "/";
      }
    }
  }
  for (const auto& [verb, included] : kVerbIncludes) {
    EXPECT_TRUE(seen.contains({verb, included}))
        << "verbs/" << verb << " no longer includes verbs/" << included << ": remove the pair";
  }
}

}  // namespace
}  // namespace molgauge::test
