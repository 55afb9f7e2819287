// Tests random calls of every verb in which outputs and inputs share names, links, folders and stems. No call
// changes a file that it reads.
//
// MOLGAUGE_FILE_CALLS=500 sets the number of calls. MOLGAUGE_FILE_CALLS_FIRST=100 sets the number of the
// first call, to repeat one call.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "base/core/hash.h"
#include "base/core/text/hexadecimal.h"
#include "base/options/own_folder.h"
#include "every_verb.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

namespace fs = std::filesystem;
using options::FileUse;
using options::FolderKind;
using options::Option;

constexpr std::size_t kFileCalls = 60;

std::size_t count_in(const char* variable, std::size_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::stoul(text);
}

/// Draws a random call. The same seed gives the same call.
class FileCall {
 public:
  /// `folder`: a fresh copy of all inputs.
  FileCall(fs::path folder, std::size_t seed) : folder_(std::move(folder)), random_(seed) {
    for (const auto& entry : fs::directory_iterator(folder_)) {
      (entry.is_directory() ? folders_ : files_).push_back(entry.path().filename().string());
    }
    std::sort(files_.begin(), files_.end());
    std::sort(folders_.begin(), folders_.end());
    const auto verbs = verbs_of_files();
    std::vector<double> weights;
    for (const VerbOfFiles& verb : verbs) {
      weights.push_back(verb.weight);
    }
    verb_ = verbs[std::discrete_distribution<std::size_t>(weights.begin(), weights.end())(random_)];
    make();
  }

  const std::vector<std::string>& words() const { return words_; }
  /// Files that the call reads, including files in folders that it reads.
  const std::set<fs::path>& reads() const { return reads_; }
  bool is_server() const { return verb_.words.front() == "serve"; }

 private:
  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }
  bool chance(double share) { return std::uniform_real_distribution<double>(0, 1)(random_) < share; }
  const std::string& one_of(const std::vector<std::string>& names) { return names[below(names.size())]; }

  void make() {
    words_ = verb_.words;
    for (const std::string& word : verb_.more) {
      const bool is_file = std::find(files_.begin(), files_.end(), word) != files_.end();
      if (is_file) {
        add_read(word);
      }
      words_.push_back(is_file ? at(word) : word);
    }
    for (std::string& word : words_) {
      word = word == "t.smi" ? at(word) : word;
    }
    for (const Option& option : verb_.options) {
      if (option.files.does == FileUse::Does::reads && option.files.folder != FolderKind::shared) {
        add_input(option);
      }
    }
    if (verb_.words.front() == "experiment") {
      reads_.insert(folder_ / "t.json");  // the specification names this benchmark
    }
    for (const Option& option : verb_.options) {
      const std::string name(option.name);
      if (name == "store" || (name == "weights" && needs_weights())) {
        words_.insert(words_.end(), {"--" + name, chance(0.95) ? at(name) : any_folder()});
      } else if (option.files.does == FileUse::Does::writes) {
        add_output(option);
      }
    }
  }

  void add_input(const Option& option) {
    const auto known = verb_.inputs.find(std::string(option.name));
    if (!is_wanted(option)) {
      return;
    }
    if (option.name == "OTHER-RANKS" && chance(0.7)) {
      return;
    }
    std::string name = known != verb_.inputs.end() && chance(0.9) ? one_of(known->second) : one_of(files_);
    if (!option.is_positional()) {
      words_.push_back("--" + std::string(option.name));
    }
    if (name == kInstalled) {
      words_.push_back(name);
      named_.emplace_back("weights");
      add_read("weights/admet-ai");
      return;
    }
    named_.push_back(name);
    if (chance(0.1)) {
      name = "here/" + name;
    }
    words_.push_back(at(name));
    add_read(name);
  }

  /// Encoders without weights refuse a folder of weights.
  bool needs_weights() {
    return verb_.words.front() == "weights" || chance(0.05) ||
           std::find(named_.begin(), named_.end(), "weights") != named_.end();
  }

  bool is_wanted(const Option& option) {
    const bool is_given =
        std::find(words_.begin(), words_.end(), "--" + std::string(option.name)) != words_.end();
    return option.is_required || option.is_positional() || option.name == verb_.always ||
           (!is_given && chance(0.15));
  }

  void add_read(const std::string& name) {
    const fs::path path = folder_ / name;
    const fs::path real = fs::exists(path) ? fs::canonical(path) : path;
    if (fs::is_regular_file(real)) {
      reads_.insert(real);
    }
    if (fs::is_directory(real)) {
      for (const auto& entry : fs::recursive_directory_iterator(real)) {
        if (entry.is_regular_file() && !is_written_by_design(entry.path())) {
          reads_.insert(entry.path());
        }
      }
    }
  }

  /// evaluate and report write locks and results into the folder that they read.
  bool is_written_by_design(const fs::path& file) const {
    const std::string name = file.filename().string();
    static const std::set<std::string> kResults = {
        "ood_evaluation_results.json", "test_metrics.json", "detailed_predictions.csv",
        "training_stats.json",         "checksums.xxh128",  "hard_pair_validation.json"};
    const bool is_of_evaluate = verb_.words.front() == "evaluate" && kResults.contains(name);
    return is_of_evaluate || name == ".lock" || name == "lock.mdb" || name.starts_with("report.") ||
           name == "checksums.xxh128";
  }

  void add_output(const Option& option) {
    const bool is_rare = option.name == "memory-trace" || option.name == "save";
    const bool is_wanted = option.is_required || (option.name == "out" && verb_.words.front() != "report");
    if (!is_wanted && !chance(is_rare ? 0.3 : 0.6)) {
      return;
    }
    const bool is_sharded = std::find(words_.begin(), words_.end(), "--shard") != words_.end();
    const bool is_folder = option.files.folder != FolderKind::none || (option.name == "out" && is_sharded);
    words_.insert(words_.end(),
                  {"--" + std::string(option.name), is_folder ? any_folder() : any_file(ending_for(option))});
  }

  std::string ending_for(const Option& option) {
    const auto known = verb_.endings.find(std::string(option.name));
    return known == verb_.endings.end() || chance(0.1) ? "" : one_of(known->second);
  }

  /// Returns a file name that equals the name of an input or is similar to it.
  std::string any_file(const std::string& ending) {
    const std::string base = !named_.empty() && chance(0.8) ? one_of(named_) : one_of(files_);
    const std::string stem = fs::path(base).stem().string();
    std::string name = ending.empty() ? base : stem + ending;
    switch (below(9)) {
      case 0:
        return at(base);
      case 1:
        name = "no/../" + name;
        break;
      case 2:
        name = "here/./" + name;
        break;
      case 3:
        return link(base, ending, /*hard=*/false);
      case 4:
        return link(base, ending, /*hard=*/true);
      case 5:
        name = fs::path(stem).stem().string() + ending;
        break;
      case 6:  // a file in a folder that is read or that another verb has written
        name = one_of(folders_) + "/" + file_in_a_folder(ending);
        break;
      case 7:
        name = base + ending;
        break;
      default:
        break;
    }
    return at(name);
  }

  std::string file_in_a_folder(const std::string& ending) {
    static const std::vector<std::string> kStems = {"molecules",  "config", "domain", "manifest",
                                                    "best_model", "spec",   "report", "summary",
                                                    "data.mdb",   "splits", "result", "detailed_predictions"};
    return one_of(kStems) + ending;
  }

  std::string any_folder() {
    const std::string base = named_.empty() ? one_of(files_) : one_of(named_);
    switch (below(8)) {
      case 0:
        return at(".");
      case 1:
        return at(one_of(folders_));
      case 2:
        return at(base);
      case 3:
        return at("no/..");
      case 4:
        return at(base + ".parts");
      case 5:
        return at("here");
      default:
        return at("new");
    }
  }

  /// Makes a link to `base`. `ending`: an ending of file names that the verb accepts.
  std::string link(const std::string& base, const std::string& ending, bool hard) {
    const fs::path path = folder_ / ("link" + std::to_string(links_++) + ending);
    std::error_code failure;
    if (hard && fs::is_regular_file(folder_ / base)) {
      fs::create_hard_link(folder_ / base, path, failure);
    } else {
      fs::create_symlink(base, path, failure);
    }
    return path.string();
  }

  std::string at(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
  std::mt19937_64 random_;
  VerbOfFiles verb_;
  std::vector<std::string> files_, folders_, named_, words_;
  std::set<fs::path> reads_;
  int links_ = 0;
};

class AnyFiles : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    template_ = std::make_unique<TemporaryFolder>();
    make_inputs_of_every_verb(template_->path());
  }
  static void TearDownTestSuite() { template_.reset(); }

  static std::string hash_of(const fs::path& file) {
    return fs::is_regular_file(file) ? to_hexadecimal(hash128(read_file(file))) : "gone";
  }

  static std::unique_ptr<TemporaryFolder> template_;
};

std::unique_ptr<TemporaryFolder> AnyFiles::template_;

TEST_F(AnyFiles, NoInputEverChanges) {
  const std::size_t first = count_in("MOLGAUGE_FILE_CALLS_FIRST", 0);
  const std::size_t calls = count_in("MOLGAUGE_FILE_CALLS", kFileCalls);
  std::map<int, std::size_t> ends;
  for (std::size_t seed = first; seed < first + calls; ++seed) {
    const TemporaryFolder place;
    const fs::path folder = fs::canonical(place.path()) / "work";
    fs::copy(template_->path(), folder, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    fs::create_directory_symlink(".", folder / "here");
    const FileCall call(folder, seed);
    SCOPED_TRACE(fmt::format("call {}: molgauge {}", seed, fmt::join(call.words(), " ")));
    std::map<fs::path, std::string> before;
    for (const fs::path& file : call.reads()) {
      before[file] = hash_of(file);
    }
    CommandOptions options;
    // The test does not download packages.
    options.environment = {{"MOLGAUGE_HOME", (folder / "home").string()}, {"PIP_NO_INDEX", "1"}};
    if (call.is_server()) {
      options.interrupt_after = std::chrono::milliseconds(1'500);
    }
    const Outcome outcome = molgauge(call.words(), options);
    ++ends[outcome.exit_code];
    EXPECT_EQ(outcome.signal, 0) << outcome.err;
    for (const auto& [file, hash] : before) {
      EXPECT_EQ(hash_of(file), hash) << file << " was read and has changed; exit code " << outcome.exit_code
                                     << "\n"
                                     << outcome.err;
    }
    // A folder of the user is neither emptied nor filled.
    for (const char* const name : {"molecules.csv", "config.json", "manifest.json", "notes.txt"}) {
      const bool is_named = std::any_of(call.words().begin(), call.words().end(), [&](const auto& word) {
        // The call may write the file if it names the file, or if it names a file with the same stem. For
        // example, config.json is written together with config.csv.
        const fs::path path = fs::path(word).lexically_normal();
        return path.parent_path() == folder / "mine" && path.stem() == fs::path(name).stem();
      });
      EXPECT_TRUE(is_named || hash_of(folder / "mine" / name) == hash_of(template_->path() / "mine" / name))
          << name << "\n"
          << outcome.err;
    }
    if (HasFailure()) {
      break;
    }
  }
  for (const auto& [code, count] : ends) {
    fmt::print("exit code {}: {} calls\n", code, count);
  }
  if (calls >= kFileCalls) {
    EXPECT_GT(ends[0], calls / 20) << "the calls do not get to their work";
    EXPECT_GT(ends[2], calls / 20) << "no conflict was found";
  }
}

/// If base/options/own_folder.cpp lacked a file name, commands that read the folder could overwrite the file.
TEST_F(AnyFiles, FilesInOurFoldersHaveNamesThatAreKnown) {
  for (const char* const name :
       {"run", "pockets", "saved", "saved-model", "matrix", "graphs", "shards", "store"}) {
    for (const auto& entry : fs::recursive_directory_iterator(template_->path() / name)) {
      const std::string file = entry.path().filename().string();
      EXPECT_TRUE(!entry.is_regular_file() || options::is_own_file_name(file))
          << entry.path() << ": add its name to base/options/own_folder.cpp";
    }
  }
}

TEST_F(AnyFiles, CoverEveryVerb) {
  std::set<std::string> verbs;
  for (const VerbOfFiles& verb : verbs_of_files()) {
    verbs.insert(verb.words.front());
    if (verb.words.size() > 1) {
      verbs.insert(verb.words[0] + " " + verb.words[1]);
    }
  }
  const auto subcommands = [](const std::string& help) {
    std::vector<std::string> names;
    const std::size_t start = help.find("Subcommands:\n");
    for (std::size_t line = start == std::string::npos ? start : start + 13;
         line < help.size() && help.compare(line, 2, "  ") == 0; line = help.find('\n', line) + 1) {
      if (help[line + 2] != ' ') {
        names.push_back(help.substr(line + 2, help.find(' ', line + 2) - line - 2));
      }
    }
    return names;
  };
  const auto all = subcommands(molgauge({"--help"}).out);
  EXPECT_GT(all.size(), 15U);
  for (const std::string& verb : all) {
    EXPECT_TRUE(verbs.contains(verb)) << verb;
    if (verb == "migrate") {
      continue;
    }
    for (const std::string& sub : subcommands(molgauge({verb, "--help"}).out)) {
      EXPECT_TRUE(verbs.contains(verb + " " + sub)) << verb << " " << sub;
    }
  }
}

}  // namespace
}  // namespace molgauge::test
