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
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "base/core/hash.h"
#include "base/core/text/hexadecimal.h"
#include "base/options/own_folder.h"
#include "base/options/tables.h"
#include "molecules/store/weights/sha256.h"
#include "molecules/store/weights/weight_store.h"
#include "pickle_writer.h"
#include "pocket_set.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

namespace fs = std::filesystem;
using options::FileUse;
using options::FolderKind;
using options::Option;

constexpr std::size_t kFileCalls = 60;
constexpr std::size_t kMolecules = 40;
/// The name of models in the folder of --weights.
constexpr const char* kInstalled = "admet-ai";

std::size_t count_in(const char* variable, std::size_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::stoul(text);
}

/// A verb, its options, and valid values of these options.
struct VerbOfFiles {
  std::vector<std::string> words;
  std::span<const Option> options;
  std::map<std::string, std::vector<std::string>> inputs;   ///< suitable file names for each option
  std::map<std::string, std::vector<std::string>> endings;  ///< accepted endings of output files for each
                                                            ///< option
  std::vector<std::string> more = {};
  double weight = 1;
  std::string always = {};  ///< an optional input that every call has
};

std::vector<VerbOfFiles> verbs_of_files() {
  using options::table;
  const std::vector<std::string> molecules = {"t.csv", "t.smi", "c.csv", "c.smi", "c.failed.csv", "t.json"},
                                 benchmarks = {"t.json", "c.json"},
                                 features = {".npy", ".h5", ".safetensors"},
                                 table_or_page = {".csv", ".html"}, rows = {".h5", ".npz"},
                                 recordings = {"c.pickle", "c.trace"}, json = {".json"}, page = {".html"};
  const std::vector<std::string> ecfp = {"--encoder", "ecfp"};
  return {
      {{"encode"},
       table<EncodeRequest>(),
       {{"MOLECULES", molecules}},
       {{"out", features}, {"atom-features", rows}, {"pair-features", rows}},
       ecfp,
       3},
      {{"encode"},
       table<EncodeRequest>(),
       {{"MOLECULES", molecules}},
       {},
       {"--encoder", "ecfp", "--shard", "1/2"},
       1},
      {{"shards", "verify"}, table<VerifyShardsRequest>(), {{"FOLDER", {"shards"}}}, {}, {}, 0.2},
      {{"shards", "join"}, table<JoinShardsRequest>(), {{"FOLDER", {"shards"}}}, {{"out", {".npy"}}}},
      {{"conformers"}, table<ConformersRequest>(), {{"MOLECULES", {"c.smi", "c.csv"}}}, {{"out", {".sdf"}}}},
      {{"doctor", "--try"}, table<TryRequest>(), {{"MOLECULES", {"c.csv"}}}, {}, ecfp, 0.02},
      {{"split"},
       table<SplitRequest>(),
       {{"MOLECULES", molecules}},
       {{"out", json}},
       {"--domain", "size", "--algorithm", "drugood"},
       2},
      {{"domain"},
       table<DomainRequest>(),
       {{"TRAIN", {"t.csv", "t.smi", "t.json"}}, {"CANDIDATES", molecules}, {"model", {"run"}}},
       {{"out", {".csv"}}},
       ecfp,
       5},
      {{"domain"},
       table<DomainRequest>(),
       {{"TRAIN", {"saved", "saved-model"}}, {"CANDIDATES", molecules}},
       {{"out", {".csv"}}},
       {},
       2},
      {{"domain"},
       table<DomainRequest>(),
       {{"TRAIN", {"t.csv", "t.smi", "saved"}}, {"CANDIDATES", {"y.csv"}}},
       {{"out", {".csv"}}},
       {"--calibration", "y.csv", "--label-column", "y", "--prediction-column", "p", "--encoder", "ecfp"},
       1},
      {{"domain"},
       table<DomainRequest>(),
       {{"TRAIN", {"t.csv", "t.smi"}}, {"CANDIDATES", molecules}, {"model", {"c.pt", kInstalled}}},
       {{"out", {".csv"}}},
       {},
       1,
       "model"},
      {{"train"},
       table<TrainRequest>(),
       {{"BENCHMARK", benchmarks}, {"ood", {"c.smi", "nci"}}, {"splits-cache", {"c.json"}}},
       {},
       {"--encoder", "ecfp", "--epochs", "1"},
       2},
      {{"evaluate"}, table<EvaluateRequest>(), {{"RUN", {"run"}}, {"data", benchmarks}}, {}, {}, 2},
      {{"score"},
       table<ScoreRequest>(),
       {{"RUN", {"run", "saved"}}, {"MOLECULES", molecules}},
       {{"out", {".csv"}}, {"page", page}},
       {},
       3},
      {{"predict"},
       table<PredictRequest>(),
       {{"MODEL", {"c.pt", kInstalled}}, {"MOLECULES", molecules}},
       {{"out", {".csv"}}},
       {},
       2},
      {{"baseline"},
       table<BaselineRequest>(),
       {{"BENCHMARK", benchmarks}},
       {},
       {"--encoder", "ecfp", "--method", "msp", "--epochs", "1"},
       1},
      {{"experiment"}, table<ExperimentRequest>(), {{"SPEC", {"c.toml"}}}, {}, {}, 1},
      {{"report"}, table<ReportRequest>(), {{"DIR", {"run", "matrix"}}}, {{"out", page}}, {}, 2},
      {{"pocket", "build"},
       table<PocketBuildRequest>(),
       {{"INPUT", {"amber", "amber/0abc_L00_model0_rna.prmtop"}}},
       {},
       {},
       2},
      {{"pocket", "ligands"},
       table<PocketLigandsRequest>(),
       {{"COMPOUNDS", {"c.compounds.csv"}}},
       {{"out", rows}},
       ecfp,
       1},
      {{"pocket", "train"},
       table<PocketTrainRequest>(),
       {{"GRAPHS", {"graphs"}}, {"ligands", {"c.npz"}}, {"splits", {"pockets/splits.json"}}},
       {},
       {"--epochs", "1", "--hidden-irreps", "4x0e + 2x1o", "--num-layers", "1"},
       1},
      {{"pocket", "embed"},
       table<PocketEmbedRequest>(),
       {{"ENCODER", {"pockets", "pockets/best_model.safetensors"}}, {"GRAPHS", {"graphs"}}},
       {{"out", rows}}},
      {{"pocket", "search"},
       table<PocketSearchRequest>(),
       {{"ENCODER", {"pockets"}}, {"GRAPHS", {"graphs"}}, {"ligands", {"c.npz"}}},
       {{"out", json}, {"page", page}}},
      {{"pocket", "evaluate"},
       table<PocketEvaluateRequest>(),
       {{"ENCODER", {"pockets"}},
        {"GRAPHS", {"graphs"}},
        {"ligands", {"c.npz"}},
        {"splits", {"pockets/splits.json"}}},
       {{"out", json}, {"page", page}}},
      {{"store", "info"}, table<StoreRequest>(), {}, {}, {}, 0.2},
      {{"store", "verify"}, table<VerifyStoreRequest>(), {}, {}, {}, 0.2},
      {{"store", "prune"}, table<PruneStoreRequest>(), {}, {}, {"--damaged"}, 0.2},
      {{"store", "export"}, table<ExportStoreRequest>(), {}, {{"out", features}}, {}, 1},
      {{"store", "import"}, table<ImportFeaturesRequest>(), {{"FILE", {"t.pickle"}}}, {}, {}, 0.5},
      {{"weights", "list"}, table<WeightsRequest>(), {}, {}, {}, 0.1},
      {{"weights", "verify"}, table<WeightsRequest>(), {}, {}, {}, 0.1},
      {{"weights", "install", "minimol"},
       table<InstallWeightsRequest>(),
       {{"from", {"c.pickle", "run/best_model.safetensors"}}},
       {},
       {},
       0.5},
      {{"weights", "init", "unimol"},
       table<InitWeightsRequest>(),
       {},
       {},
       {"--seed", "1", "--layers", "1", "--width", "8", "--hidden", "8", "--heads", "1", "--kernels", "2"},
       0.5},
      {{"memory", "simulate"}, table<SimulateMemoryRequest>(), {{"TRACE", recordings}}, {}, {}, 0.2},
      {{"memory", "diff"},
       table<DiffMemoryRequest>(),
       {{"BEFORE", recordings}, {"AFTER", recordings}},
       {},
       {},
       0.2},
      {{"memory", "explain"},
       table<ExplainMemoryRequest>(),
       {{"FILE", recordings}, {"OTHER-RANKS", recordings}},
       {{"page", {".html", ".pickle", ".trace"}}},
       {},
       3},
      {{"memory", "report"}, table<ReportMemoryRequest>(), {{"RUN", {"run"}}}, {}, {}, 0.2},
      {{"memory", "plan", "encode"}, {}, {}, {}, {"t.csv", "--encoder", "ecfp"}, 0.2},
      {{"memory", "watch"}, table<WatchMemoryRequest>(), {{"TARGET", {"run"}}}, {}, {}, 0.2},
      {{"migrate"}, {}, {}, {}, {"python", "main.py", "--mode", "train"}, 0.1},
      {{"serve", "--port", "0"},
       table<ServeRequest>(),
       {{"model", {"run", "saved", "saved-model", "c.pt", kInstalled}}, {"token-file", {"c.failed.csv"}}},
       {},
       {},
       0.3},
      {{"demo", "--molecules", "t.smi"}, {}, {}, {}, {}, 0.05},
  };
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
      if (name == "store" || name == "weights") {
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
  /// Makes one folder with inputs of all verbs and with results of earlier calls. The names of the inputs
  /// share stems.
  static void SetUpTestSuite() {
    const PocketSet set;
    ASSERT_EQ(set.train("pockets", {"--epochs", "1"}).exit_code, 0);
    template_ = std::make_unique<TemporaryFolder>();
    const fs::path folder = template_->path();
    for (const char* const name : {"amber", "graphs", "pockets"}) {
      fs::copy(set.path(name), folder / name, fs::copy_options::recursive);
    }
    fs::copy(set.ligands(), folder / "c.npz");
    const Workplace place;
    const std::string table = read_file(place.nci_table(kMolecules));
    replace_file(folder / "t.csv", table);
    replace_file(folder / "c.csv", table.substr(0, table.find('\n', 200) + 1));
    replace_file(folder / "c.failed.csv", read_file(folder / "c.csv"));
    replace_file(folder / "t.smi", read_file(place.nci_molecules(kMolecules)));
    replace_file(folder / "c.smi", read_file(place.nci_molecules(4)));
    replace_file(folder / "c.compounds.csv", "id,smiles\nAAA,CCO\nBBB,CCN\n");
    replace_file(folder / "t.pickle", feature_cache({{"CCO", {1, 2}}, {"c1ccccc1", {3, 4}}}));
    fs::copy(own_data("allocator/protocol4.pickle"), folder / "c.pickle");
    replace_file(folder / "c.toml", R"([matrix]
encoders = ["ecfp"]
seeds = [1]
[training]
epochs = 1
[[benchmark]]
name = "b"
file = "t.json"
[[method]]
name = "energy-dpo"
loss = "dpo"
)");
    replace_file(folder / "notes.txt", "notes of the user");
    fs::create_directory(folder / "mine");
    for (const char* const name : {"molecules.csv", "config.json", "manifest.json", "notes.txt"}) {
      replace_file(folder / "mine" / name, "a file of the user");
    }
    // The parts of the benchmark must be large enough, so the table has more molecules than the calls read.
    const std::string at = folder.string() + "/";
    const std::vector<std::string> store = {"--store", at + "store", "--quiet"};
    const auto call = [&](std::vector<std::string> words) {
      words.insert(words.end(), store.begin(), store.end());
      const Outcome outcome = molgauge(words);
      ASSERT_EQ(outcome.exit_code, 0) << fmt::format("{}", fmt::join(words, " ")) << outcome.err;
    };
    ASSERT_EQ(place.split(place.nci_molecules(400), at + "t.json", {"--algorithm", "drugood"}).exit_code, 0);
    fs::copy(at + "t.json", at + "c.json");
    fs::copy(own_data("chemprop/v2_regression.pt"), at + "c.pt");
    call({"train", at + "t.json", "--run", at + "run", "--encoder", "ecfp", "--epochs", "1", "--memory-trace",
          at + "c.trace"});
    call({"evaluate", at + "run"});
    call({"domain", at + "t.csv", at + "c.csv", "--encoder", "ecfp", "--save", at + "saved", "--out",
          at + "earlier.csv"});
    call({"domain", at + "t.csv", at + "c.csv", "--model", at + "c.pt", "--save", at + "saved-model", "--out",
          at + "earlier.csv"});
    install_models(folder / "weights" / kInstalled);
    std::string measured = "smiles,y,p\n";
    for (std::size_t i = 1; i <= kMolecules; ++i) {
      measured += fmt::format("{}O,{},{}\n", std::string(i, 'C'), i, static_cast<double>(i) + 0.1 * (i % 5));
    }
    replace_file(folder / "y.csv", measured);
    call({"experiment", at + "c.toml", "--out", at + "matrix"});
    for (const char* const shard : {"1/2", "2/2"}) {
      call({"encode", at + "t.csv", "--encoder", "ecfp", "--shard", shard, "--out", at + "shards"});
    }
  }
  static void TearDownTestSuite() { template_.reset(); }

  /// Installs a model of the tests under the name of published models.
  static void install_models(const fs::path& folder) {
    fs::create_directories(folder / "models");
    fs::copy(own_data("chemprop/v2_regression.pt"), folder / "models/model_0.pt");
    store::WeightManifest manifest;
    manifest.encoder = kInstalled;
    manifest.files = {{"models/model_0.pt", store::sha256_of_file(folder / "models/model_0.pt")}};
    store::write_files_manifest(folder, manifest);
  }

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
