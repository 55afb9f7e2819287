// Saved domains, run folders, graph sets and models with random changes, as a stranger could make them. All
// checksums are made right again. A command ends with an answer in the documented ranges or with an error, in
// at most 1 GiB and 30 s of processor time, and at most 2 s after SIGINT. It never crashes.
//
// MOLGAUGE_MUTATIONS=2000 sets the number of changes. MOLGAUGE_MUTATIONS_FIRST=100 sets the number of the
// first change, to repeat it. MOLGAUGE_MUTATIONS_PROGRAM=/tmp/checked runs this program for the changed
// files, for example a script that starts Molgauge under valgrind. The test then does not limit time and
// memory.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/core/json/sealed_json.h"
#include "base/io/bytes/zip.h"
#include "base/io/bytes/zip_writer.h"
#include "molecules/store/weights/sha256.h"
#include "pocket_set.h"
#include "support/instrumented.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kMutations = 40;
constexpr std::uint64_t kMostMemory = std::uint64_t{1} << 30;

std::size_t count_in(const char* variable, std::size_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::stoul(text);
}

/// Draws random changes of files.
class Mutation {
 public:
  explicit Mutation(std::size_t seed) : random_(seed) {}

  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }

  /// Changes a file. Returns the new content.
  std::string changed(const fs::path& file) {
    const std::string extension = file.extension().string();
    std::string content = read_file(file);
    if (extension == ".json") {
      return changed_json(content);
    }
    if (extension == ".csv") {
      return changed_table(content);
    }
    if (extension == ".safetensors" && content.size() > 16) {
      return changed_tensors(content);
    }
    return changed_bytes(content, 0);
  }

  /// Changes an entry of an archive, so that the sums of the archive stay right.
  void change_archive(const fs::path& file) {
    const std::string whole = read_file(file);
    const io::ZipArchive archive(file);
    const std::vector<std::string> names = archive.names();
    std::map<std::string, std::vector<std::byte>> entries;
    for (const std::string& name : names) {
      entries[name] = archive.read(name);
    }
    const std::string& chosen = names[below(names.size())];
    std::string content(reinterpret_cast<const char*>(entries[chosen].data()), entries[chosen].size());
    content = changed_bytes(content, 0);
    io::ZipWriter writer(file);
    for (const std::string& name : names) {
      writer.add(name, name == chosen ? std::as_bytes(std::span(content)) : std::span(entries[name]));
    }
    writer.finish();
  }

 private:
  json value() {
    static const std::vector<json> kValues = {0,
                                              -1,
                                              1,
                                              2,
                                              1e308,
                                              -1e308,
                                              1e18,
                                              -9'000'000'000'000'000'000,
                                              4'000'000'000U,
                                              1e-300,
                                              0.5,
                                              "",
                                              "x",
                                              true,
                                              false,
                                              json::array(),
                                              json::object(),
                                              nullptr,
                                              1e308 * -1,
                                              300,
                                              1000,
                                              "999",
                                              json::array({1, 2, 3}),
                                              std::string(2000, 'y')};
    return kValues[below(kValues.size())];
  }

  /// A path to a random value of a JSON document.
  json* inner(json& document) {
    json* place = &document;
    while (place->is_structured() && !place->empty() && below(8) > 0) {
      auto next = place->begin();
      std::advance(next, static_cast<std::ptrdiff_t>(below(place->size())));
      place = &*next;
    }
    return place;
  }

  std::string changed_json(const std::string& text) {
    json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (document.is_discarded()) {
      return changed_bytes(text, 0);
    }
    json* const place = inner(document);
    if (place->is_object() && !place->empty() && below(2) == 0) {
      place->erase(place->begin());
    } else {
      *place = value();
    }
    return document.dump();
  }

  std::string changed_table(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
      lines.push_back(line);
    }
    if (lines.empty()) {
      return text;
    }
    std::string& line = lines[below(lines.size())];
    const std::size_t begin = line.empty() ? 0 : below(line.size()),
                      end = std::min(line.find(',', begin), line.size());
    static const std::vector<std::string> kCells = {"",  "nan", "inf", "-1", "1e308", "0",
                                                    "2", "x",   "\"",  ",",  "\n",    "99999999999999999999"};
    line.replace(begin, end - begin, kCells[below(kCells.size())]);
    std::string changed;
    for (const std::string& one : lines) {
      changed += one + "\n";
    }
    return changed;
  }

  /// A safetensors file: eight bytes with the length of the header, a JSON header, and numbers.
  std::string changed_tensors(const std::string& content) {
    std::uint64_t length = 0;
    std::memcpy(&length, content.data(), sizeof length);
    if (length + sizeof length >= content.size() || below(3) > 0) {
      return changed_bytes(content, std::min<std::size_t>(length + sizeof length, content.size() - 8));
    }
    std::string header = changed_json(content.substr(sizeof length, length));
    const std::uint64_t now = header.size();
    std::string changed(reinterpret_cast<const char*>(&now), sizeof now);
    return changed + header + content.substr(sizeof length + length);
  }

  /// Replaces a number at a multiple of four bytes, one byte, or the end. The bytes before `first` stay.
  std::string changed_bytes(std::string content, std::size_t first) {
    if (content.size() < first + 8) {
      return content + "x";
    }
    const std::size_t place = first + below(content.size() - first - 4) / 4 * 4;
    static const std::vector<float> kNumbers = {0, -1, 1e30F, -1e30F, 1e-40F, NAN, INFINITY, 300, 0.5F};
    switch (below(4)) {
      case 0:
        content[place] = static_cast<char>(below(256));
        break;
      case 1: {
        const auto integer = static_cast<std::uint32_t>(below(2) == 0 ? 0xffffffff : below(70000));
        std::memcpy(content.data() + place, &integer, sizeof integer);
        break;
      }
      case 2:
        content.resize(below(content.size()) + 1);
        break;
      default:
        std::memcpy(content.data() + place, &kNumbers[below(kNumbers.size())], sizeof(float));
        break;
    }
    return content;
  }

  std::mt19937_64 random_;
};

/// Makes the checksums in a folder right.
void admit(const fs::path& folder, const fs::path& changed) {
  fs::remove(folder / "checksums.xxh128");
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") {
      continue;
    }
    json fields = json::parse(read_file(entry.path()), nullptr, /*allow_exceptions=*/false);
    if (!fields.is_object()) {
      continue;
    }
    const std::string name = fs::relative(changed, folder).string();
    if (fields.contains("sha256") && fields["sha256"].is_object() && fields["sha256"].contains(name)) {
      fields["sha256"][name] = store::sha256_of_file(changed);
    }
    if (fields.contains("checksum")) {
      fields.erase("checksum");
      std::ofstream(entry.path()) << sealed(fields).dump();
    } else {
      std::ofstream(entry.path()) << fields.dump();
    }
  }
}

/// A folder or a model to change, and the commands that read it.
struct Target {
  std::string name;
  std::vector<std::vector<std::string>> commands;  ///< "@x" is the file x of the folder
};

class MutatedFiles : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (is_instrumented() && std::getenv("MOLGAUGE_MUTATIONS") == nullptr) {
      return;
    }
    const PocketSet set;
    ASSERT_EQ(set.train("pockets", {"--epochs", "1"}).exit_code, 0);
    template_ = std::make_unique<TemporaryFolder>();
    const fs::path folder = template_->path();
    for (const char* const name : {"graphs", "pockets"}) {
      fs::copy(set.path(name), folder / name, fs::copy_options::recursive);
    }
    fs::copy(set.ligands(), folder / "c.npz");
    for (const char* const name : {"v2_regression.pt", "v1_mve.pt"}) {
      fs::copy(own_data("chemprop") / name, folder / name);
    }
    std::string table = "smiles,y,p\n", candidates = "smiles,p\n";
    for (std::size_t i = 1; i <= 40; ++i) {
      const double value = static_cast<double>(i % 9) + 0.25;
      table +=
          fmt::format("{}O,{},{}\n", std::string(i, 'C'), value, value + 0.1 * static_cast<double>(i % 5));
      candidates += fmt::format("{}N,{}\n", std::string(i % 12 + 1, 'C'), value);
    }
    replace_file(folder / "t.csv", table);
    replace_file(folder / "c.csv", candidates);
    const std::string at = folder.string() + "/";
    const auto call = [&](std::vector<std::string> words) {
      words.insert(words.end(), {"--store", at + "store", "--quiet"});
      const Outcome outcome = molgauge(words);
      ASSERT_EQ(outcome.exit_code, 0) << outcome.err;
    };
    call({"domain", at + "t.csv", at + "c.csv", "--encoder", "ecfp", "--calibration", at + "t.csv",
          "--label-column", "y", "--prediction-column", "p", "--out-of-fold", "--save", at + "saved", "--out",
          at + "o.csv"});
    call({"domain", at + "t.csv", at + "c.csv", "--model", at + "v2_regression.pt", "--save",
          at + "saved-model", "--out", at + "o.csv"});
    const Workplace place;
    ASSERT_EQ(place.split(place.nci_molecules(200), at + "b.json", {"--algorithm", "drugood"}).exit_code, 0);
    place.label_alternately(at + "b.json");
    call({"train", at + "b.json", "--run", at + "run", "--encoder", "ecfp", "--epochs", "1"});
    call({"baseline", at + "b.json", "--run", at + "knn", "--encoder", "ecfp", "--epochs", "1", "--method",
          "knn"});
  }
  static void TearDownTestSuite() { template_.reset(); }

  static std::vector<Target> targets() {
    return {{"saved", {{"domain", "@saved", "@c.csv"}, {"score", "@saved", "@c.csv"}}},
            {"saved-model", {{"domain", "@saved-model", "@c.csv"}}},
            {"run", {{"score", "@run", "@c.csv"}, {"evaluate", "@run"}}},
            {"knn", {{"score", "@knn", "@c.csv"}}},
            {"graphs", {{"pocket", "search", "@pockets", "@graphs", "--ligands", "@c.npz"}}},
            {"pockets", {{"pocket", "search", "@pockets", "@graphs", "--ligands", "@c.npz"}}},
            {"v2_regression.pt", {{"predict", "@v2_regression.pt", "@c.csv"}}},
            {"v1_mve.pt", {{"predict", "@v1_mve.pt", "@c.csv"}}}};
  }

  /// p-values are from 0 to 1, and verdicts are words.
  static void expect_in_ranges(const fs::path& csv) {
    std::istringstream lines(read_file(csv));
    std::string line;
    std::getline(lines, line);
    std::vector<std::string> header;
    std::istringstream names(line);
    for (std::string name; std::getline(names, name, ',');) {
      header.push_back(name);
    }
    const auto column = std::find(header.begin(), header.end(), "domain_p_value") - header.begin();
    while (std::getline(lines, line) && column < static_cast<std::ptrdiff_t>(header.size())) {
      std::istringstream cells(line);
      std::string cell;
      for (std::ptrdiff_t i = 0; i <= column; ++i) {
        std::getline(cells, cell, ',');
      }
      const double p = cell.empty() ? 0 : std::strtod(cell.c_str(), nullptr);
      EXPECT_TRUE(p >= 0 && p <= 1) << line;
    }
  }

  static std::string checked_program() {
    const char* const program = std::getenv("MOLGAUGE_MUTATIONS_PROGRAM");
    return program == nullptr ? "" : program;
  }

  /// Runs a command. The limits of time are processor time, so they do not depend on other work of the
  /// machine. A command that waits for something is killed after five minutes.
  static Outcome run(const std::vector<std::string>& words, CommandOptions options = {}) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
    options.kill_when = [deadline] { return std::chrono::steady_clock::now() > deadline; };
    options.program = checked_program();
    Outcome outcome = molgauge(words, options);
    EXPECT_NE(outcome.signal, SIGKILL) << "it waits";
    EXPECT_EQ(outcome.err.find("please report"), std::string::npos) << outcome.err;
    if (options.program.empty()) {
      EXPECT_TRUE(is_instrumented() || outcome.peak_resident_bytes <= kMostMemory)
          << outcome.peak_resident_bytes;
      EXPECT_LE(outcome.processor_time, std::chrono::seconds(30));
    }
    return outcome;
  }

  static std::unique_ptr<TemporaryFolder> template_;
};

std::unique_ptr<TemporaryFolder> MutatedFiles::template_;

TEST_F(MutatedFiles, GiveAnErrorOrAnAnswer) {
  if (template_ == nullptr) {
    GTEST_SKIP() << "takes too long with a sanitizer. Set MOLGAUGE_MUTATIONS";
  }
  const std::size_t first = count_in("MOLGAUGE_MUTATIONS_FIRST", 0),
                    count = count_in("MOLGAUGE_MUTATIONS", kMutations);
  std::map<int, std::size_t> ends;
  for (std::size_t seed = first; seed < first + count; ++seed) {
    Mutation mutation(seed);
    const TemporaryFolder place;
    const fs::path folder = place.path() / "work";
    fs::copy(template_->path(), folder, fs::copy_options::recursive);
    const std::vector<Target> all = targets();
    const Target& target = all[seed % all.size()];
    std::vector<fs::path> files;
    if (fs::is_regular_file(folder / target.name)) {
      files.push_back(folder / target.name);
    } else {
      for (const auto& entry : fs::recursive_directory_iterator(folder / target.name)) {
        const std::string name = entry.path().filename().string();
        if (entry.is_regular_file() && entry.file_size() > 0 && name != "checksums.xxh128" &&
            name != ".lock") {
          files.push_back(entry.path());
        }
      }
    }
    std::sort(files.begin(), files.end());
    const fs::path file = files[mutation.below(files.size())];
    if (file.extension() == ".pt") {
      mutation.change_archive(file);
    } else {
      const std::string content = mutation.changed(file);
      std::ofstream(file, std::ios::binary) << content;
    }
    if (fs::is_directory(folder / target.name)) {
      admit(file.parent_path(), file);
    }
    for (std::vector<std::string> words : target.commands) {
      for (std::string& word : words) {
        word = word.starts_with('@') ? (folder / word.substr(1)).string() : word;
      }
      if (words[0] == "pocket") {
        words.insert(words.end(), {"--out", (folder / "o.json").string()});
      } else if (words[0] != "evaluate") {
        words.insert(words.end(), {"--out", (folder / "o.csv").string()});
      }
      if (words[0] != "pocket") {
        words.insert(words.end(), {"--store", (folder / "store").string()});
      }
      SCOPED_TRACE(fmt::format("change {} of {}: {} {}", seed, fs::relative(file, folder).string(), words[0],
                               words[1]));
      fs::remove(folder / "o.csv");
      const auto start = std::chrono::steady_clock::now();
      const Outcome outcome = run(words);
      const auto duration =
          std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - start);
      ++ends[outcome.exit_code];
      EXPECT_EQ(outcome.signal, 0) << outcome.err;
      EXPECT_TRUE(outcome.exit_code >= 0 && outcome.exit_code <= 4) << outcome.err;
      if (outcome.exit_code == 0 && words[0] == "domain") {
        expect_in_ranges(folder / "o.csv");
      }
      if (!checked_program().empty()) {
        continue;
      }
      CommandOptions interrupted;
      interrupted.interrupt_after =
          std::chrono::milliseconds(mutation.below(static_cast<std::size_t>(duration.count()) + 1));
      const Outcome stopped = run(words, interrupted);
      EXPECT_TRUE(stopped.signal == 0 || stopped.signal == SIGINT) << stopped.signal << "\n" << stopped.err;
      EXPECT_LE(stopped.processor_time_after_interrupt, std::chrono::seconds(2));
    }
    if (HasFailure() && count <= kMutations) {
      break;
    }
  }
  for (const auto& [code, times] : ends) {
    fmt::print("exit code {}: {} calls\n", code, times);
  }
  if (count >= kMutations) {
    EXPECT_GT(ends[3], count / 10) << "no change is refused";
  }
}

}  // namespace
}  // namespace molgauge::test
