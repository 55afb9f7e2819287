// Tests the order of src/: a product includes base/ and itself, and within a product, a folder includes only
// the folders above it in the list of its CMakeLists.txt.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace molgauge::test {
namespace {

namespace fs = std::filesystem;

const fs::path kSources = MOLGAUGE_SOURCES;

using Edge = std::pair<std::string, std::string>;  ///< {folder, included folder}

/// The products that a product includes, in addition to itself.
const std::map<std::string, std::set<std::string>> kProducts = {
    {"base", {}},
    {"memgauge", {"base"}},
    {"molecules", {"base"}},
    {"pockets", {"base"}},
    {"api", {"base", "memgauge", "molecules", "pockets"}},
    {"server", {"base"}},
};

/// Folders that another product includes. A new pair needs a reason in
/// docs/decisions/0039-exceptions-of-the-tree.md.
const std::set<Edge> kExceptions = {
    {"pockets/verbs", "molecules/encoding"},
    {"pockets/verbs", "molecules/verbs"},
    {"server", "molecules/files"},
};

/// Verb folders of molecules/verbs that include other verb folders. A new pair needs a reason in the same
/// decision.
const std::set<Edge> kVerbIncludes = {
    {"baseline", "train"},     {"doctor", "train"},     {"domain", "describe"},    {"domain", "predict"},
    {"domain", "predictions"}, {"evaluate", "score"},   {"evaluate", "train"},     {"experiment", "baseline"},
    {"experiment", "train"},   {"predict", "describe"}, {"predictions", "domain"}, {"score", "domain"},
    {"score", "predictions"},  {"train", "baseline"},
};

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The name at a position of a relative path. Empty if the path is shorter.
std::string part(const fs::path& path, std::ptrdiff_t number) {
  return number < std::distance(path.begin(), path.end()) ? std::next(path.begin(), number)->string() : "";
}

/// "molecules/chem" of "molecules/chem/identity.h". Files directly in a product belong to the folder of the
/// product.
std::string folder_of(const fs::path& path) {
  const bool is_deep = std::distance(path.begin(), path.end()) > 2;
  return is_deep ? part(path, 0) + "/" + part(path, 1) : part(path, 0);
}

/// Calls `visit` for each file and each header of src/ that it includes, both relative to src/.
void for_each_include(const std::function<void(const fs::path& file, const fs::path& header)>& visit) {
  const std::regex include(R"re(#include "([a-z_]+/[^"]+)")re");
  std::size_t files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kSources)) {
    const std::string extension = entry.path().extension();
    if (extension != ".h" && extension != ".cpp" && extension != ".cu" && extension != ".cuh") {
      continue;
    }
    ++files;
    const std::string text = text_of(entry.path());
    for (std::sregex_iterator found(text.begin(), text.end(), include), end; found != end; ++found) {
      if (const fs::path header = (*found)[1].str(); kProducts.contains(part(header, 0))) {
        visit(entry.path().lexically_relative(kSources), header);
      }
    }
  }
  EXPECT_GT(files, 500U);
}

TEST(Tree, AProductIncludesBaseAndItself) {
  std::set<Edge> used;
  for_each_include([&](const fs::path& file, const fs::path& header) {
    const std::string from = part(file, 0), to = part(header, 0);
    ASSERT_TRUE(kProducts.contains(from)) << file << " is in a folder that this test does not name";
    if (from == to || kProducts.at(from).contains(to)) {
      return;
    }
    const Edge edge = {folder_of(file), folder_of(header)};
    EXPECT_TRUE(kExceptions.contains(edge)) << file << " includes " << header;
    used.insert(edge);
  });
  EXPECT_EQ(used, kExceptions) << "an exception is no longer needed: remove it";
}

TEST(Tree, AFolderIncludesOnlyFoldersAboveIt) {
  std::map<std::string, int> position;
  for (const auto& [product, included] : kProducts) {
    const std::string text = text_of(kSources / product / "CMakeLists.txt");
    const std::regex line(R"(add_subdirectory\((\w+)\))");
    for (std::sregex_iterator found(text.begin(), text.end(), line), end; found != end; ++found) {
      position.emplace(product + "/" + (*found)[1].str(), static_cast<int>(position.size()));
    }
  }
  EXPECT_GT(position.size(), 20U);
  for_each_include([&](const fs::path& file, const fs::path& header) {
    const auto from = position.find(folder_of(file)), to = position.find(folder_of(header));
    if (part(file, 0) == part(header, 0) && from != position.end() && to != position.end()) {
      EXPECT_LE(to->second, from->second) << file << " includes " << header;
    }
  });
}

TEST(Tree, AVerbIncludesOnlyTheVerbsOfTheTable) {
  std::set<Edge> used;
  for_each_include([&](const fs::path& file, const fs::path& header) {
    const bool are_verbs = folder_of(file) == "molecules/verbs" && folder_of(header) == "molecules/verbs";
    const Edge edge = {part(file, 2), part(header, 2)};
    const bool are_folders = part(file, 3) != "" && part(header, 3) != "";
    if (!are_verbs || !are_folders || edge.first == edge.second) {
      return;
    }
    EXPECT_TRUE(kVerbIncludes.contains(edge)) << file << " includes " << header;
    used.insert(edge);
  });
  EXPECT_EQ(used, kVerbIncludes) << "a pair is no longer needed: remove it";
}

}  // namespace
}  // namespace molgauge::test
