#include "migration/new_command.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "migration/command_line.h"
#include "migration/experiment_commands.h"
#include "migration/good_benchmarks.h"
#include "migration/shell_words.h"
#include "options/settings.h"
#include "options/tables.h"

namespace headroom::migration {
namespace {

constexpr char kTrain = 't', kEvaluate = 'v', kScore = 's', kBaseline = 'b';

bool is_variable(const std::string& value) { return value.find('$') != std::string::npos; }

/// The row of the counterpart of an option; null where that is no option of the verb.
const options::Option* counterpart_of(const OldOption& old, char verb) {
  if (!old.counterpart.starts_with("--")) {
    return nullptr;
  }
  const std::string_view name = old.counterpart.substr(2);
  return verb == kTrain      ? options::find_option(options::table<TrainRequest>(), name)
         : verb == kBaseline ? options::find_option(options::table<BaselineRequest>(), name)
                             : nullptr;
}

/// Whether the shell may put several words, or none, in place of this one.
bool is_open_list(const std::string& word) {
  static constexpr std::array kLists = {"[@]", "[*]", "$@", "$*", "${@", "${*"};
  return std::ranges::any_of(kLists, [&](const char* list) { return word.find(list) != std::string::npos; });
}

class Translation {
 public:
  Translation(const OldCommand& old, const KnownValues& values) : old_(old), values_(values) {}

  NewCommands translated() {
    for (const auto& word : old_.unknown) {
      warn(word, "no option of " + old_.name + "; left out");
      require_settled(word);
    }
    for (const auto& option : old_.without_value) {
      warn(option, "takes a value, and none is given; left out");
    }
    for (const auto& [name, words] : old_.given) {
      const bool is_list = find_old_option(old_.program, name)->list;
      for (const auto& word : words) {
        if (is_list || is_open_list(word) || name == "--log_level") {
          require_settled(word);
        }
      }
    }
    translate();
    return std::move(new_);
  }

 private:
  void translate() {
    const std::string mode = old_.value("--mode");
    if (old_.program == OldProgram::predictor) {
      score_as_predictor();
    } else if (old_.program == OldProgram::baselines) {
      baseline();
    } else if (old_.program == OldProgram::experiments) {
      experiment();
    } else if (is_always("--mode", "train")) {
      train();
    } else if (is_always("--mode", "eval")) {
      evaluate();
    } else if (is_always("--mode", "predict")) {
      score();
    } else {
      warn("--mode", "train, eval or predict is needed to know the verb");
      require_settled(mode);
    }
  }

  /// Leaves the translation to the moment of the call where this word is not plain text.
  void require_settled(const std::string& word) {
    if (is_variable(word) && new_.open_question.empty()) {
      new_.open_question = readable(word);
    }
  }

  /// Whether an option has this value whatever its variable holds.
  bool is_always(const std::string& option, const std::string& value) const {
    return values_.of(old_.value(option)) == std::set{value};
  }

  void warn(const std::string& option, std::string_view text) {
    new_.warnings.push_back(readable(fmt::format("{}: {}", option, text)));
  }

  /// Appends the options whose counterpart of this verb has the same form, and warns of the others.
  void append_options(Line& line, char verb) {
    for (const OldOption& option : old_options()) {
      const std::string name(option.name);
      if (!old_.has(name) || find_old_option(old_.program, name) != &option || placed_.contains(name)) {
        continue;
      }
      if (option.verbs.find(verb) == std::string_view::npos) {
        warn(name, option.counterpart.empty() || option.explanation.empty()
                       ? (option.explanation.empty() ? "the run knows it" : option.explanation)
                       : fmt::format("now {}: {}", option.counterpart, option.explanation));
      } else if (has_effect(option, verb)) {
        append(line, option, old_.value(name));
      }
    }
  }

  /// Whether the counterpart changes anything beside the other options; warns where it does not.
  bool has_effect(const OldOption& option, char verb) {
    const options::Option* const row = counterpart_of(option, verb);
    if (row == nullptr) {
      return true;
    }
    for (const options::Condition& condition : row->conditions) {
      const OldOption* const deciding = deciding_option(condition, verb);
      if (deciding == nullptr) {
        continue;
      }
      const std::string name(deciding->name);
      const std::string value =
          deciding->flag ? (old_.has(name) ? "true" : "") : old_.value(name, std::string(deciding->preset));
      const auto possible = values_.of(value);
      const auto is_met = [&](const std::string& text) { return options::is_met(condition, text); };
      if (!possible) {
        require_settled(value);
      } else if (std::ranges::none_of(*possible, is_met)) {
        warn(std::string(option.name),
             fmt::format("has no effect with {} {}; left out", deciding->name, readable(value)));
        return false;
      } else if (!std::ranges::all_of(*possible, is_met)) {
        require_settled(value);
      }
    }
    return true;
  }

  /// The option of the Python program whose counterpart decides whether a condition holds; null for none.
  const OldOption* deciding_option(const options::Condition& condition, char verb) const {
    for (const OldOption& option : old_options()) {
      const options::Option* const row = counterpart_of(option, verb);
      if (!condition.option.empty() && row != nullptr && row->name == condition.option &&
          find_old_option(old_.program, option.name) == &option) {
        return &option;
      }
    }
    return nullptr;
  }

  void append(Line& line, const OldOption& option, std::string value) {
    const options::Option* const row = counterpart_of(option, kBaseline) != nullptr
                                           ? counterpart_of(option, kBaseline)
                                           : counterpart_of(option, kTrain);
    line.word(std::string(option.counterpart));
    if (!option.flag) {
      value = option.name == "--log_level" ? (value == "WARNING" ? "warn" : lower(value)) : value;
      line.word(value);
    }
    // Together with the value that it belongs to, an option of one loss or method has its former meaning.
    const bool is_of_one = row != nullptr && !row->conditions.front().option.empty();
    const bool fits = is_of_one || (option.name == "--foundation_model" && value == "minimol");
    if (!option.explanation.empty() && !fits) {
      warn(std::string(option.name), option.explanation);
    }
  }

  /// The default of an option; of a folder, without "./".
  std::string preset(const char* option) const {
    const std::string text(find_old_option(old_.program, option)->preset);
    return text.starts_with("./") ? text.substr(2) : text;
  }

  /// BENCHMARK of a verb that trains: a file, or a name with the folder in which it is looked up. A data set
  /// of GOOD is made first. Where the call names none, the placeholder BENCHMARK: the Python program refused
  /// such a call, too.
  void place_benchmark(Line& line, const std::string& run) {
    placed_.insert({"--dataset", "--data_file", "--drugood_subset", "--good_domain", "--good_shift"});
    const std::string dataset = old_.value("--dataset");
    const auto names = values_.of(dataset);
    const bool is_good = names && std::ranges::any_of(*names, is_good_data_set);
    if (!names || (is_good && is_variable(dataset))) {
      require_settled(dataset);
    }
    if (is_good) {
      placed_.insert("--data_path");
      line.word(good_benchmark()).option("--run", run);
      return;
    }
    const std::string name = old_.value("--drugood_subset", dataset);
    if (old_.has("--data_file")) {
      line.word(old_.value("--data_file")).option("--run", run);
    } else if (name.empty()) {
      warn("--dataset",
           "no data set is named (--dataset, --data_file or --drugood_subset); name a benchmark file in "
           "place of BENCHMARK, as headroom split makes one");
      line.word("BENCHMARK").option("--run", run);
    } else {
      line.word(name).option("--run", run);
      name_data_path(line);
    }
  }

  /// The folder in which names are looked up, where the call leaves it to the default of its program.
  void name_data_path(Line& line) {
    if (!old_.has("--data_path")) {
      line.option("--data-path", preset("--data_path"));
    }
  }

  /// The file of a data set of GOOD, and the command that makes it unless it is there.
  std::string good_benchmark() {
    const std::string domain = old_.value("--good_domain", "scaffold");
    const std::string shift = old_.value("--good_shift", "covariate");
    require_settled(domain);
    require_settled(shift);
    const GoodBenchmark made = make_good_benchmark(old_.value("--dataset"), domain, shift,
                                                   old_.value("--data_path", preset("--data_path")));
    new_.lines.push_back(made.command);
    warn("--dataset", made.remark);
    return made.file;
  }

  /// Imports a cache of features, and tells the verb to use it.
  void use_cached_features(Line& line) {
    if (!old_.has("--feature_cache_file")) {
      return;
    }
    placed_.insert("--feature_cache_file");
    const std::string file = old_.value("--feature_cache_file");
    Line import;
    import.word("headroom").word("store").word("import").word(file).option("--name", "python");
    new_.lines.push_back(import.text());
    line.option("--features", "imported:python");
    warn("--feature_cache_file", "imported once, into a space of its own, with the first command");
  }

  std::string default_run() const { return "runs/" + old_.value("--exp_name", "first"); }

  void train() {
    Line line;
    line.word("headroom").word("train");
    placed_.insert({"--mode", "--output_dir"});
    place_benchmark(line, old_.value("--output_dir", default_run()));
    if (!old_.has("--output_dir")) {
      warn("--output_dir", "has to be given now (--run); the default folder held the time");
    }
    use_cached_features(line);
    append_options(line, kTrain);
    line.option("--early-stopping", "reference");
    const char* const patience = "--early_stopping_patience";
    if (!old_.has(patience)) {
      warn(patience, find_old_option(old_.program, patience)->explanation);
    }
    new_.lines.push_back(line.text());
  }

  void baseline() {
    Line line;
    line.word("headroom").word("baseline");
    placed_.insert("--output_dir");
    place_benchmark(line, old_.value("--output_dir", "baseline_results"));
    if (!old_.has("--foundation_model")) {
      line.option("--encoder", preset("--foundation_model"));
      warn("--foundation_model", "unimol was the default of baselines.py, minimol is headroom's");
    }
    append_options(line, kBaseline);
    line.option("--metrics", "baseline").option("--calibration", "validation");
    warn("--metrics",
         "baseline is the AUPR and FPR95 of baselines.py; headroom's default is evaluation, those "
         "of main.py");
    warn("--calibration",
         "validation calibrates conformal with the molecules that chose its classifier, as baselines.py did; "
         "headroom's default is held-out, whose p-values are valid and whose results of conformal differ");
    new_.lines.push_back(line.text());
  }

  /// A matrix is described in a file, which takes the place of the options.
  void experiment() {
    const ExperimentCommands commands = experiment_commands(old_);
    for (const auto& [name, words] : old_.given) {
      for (const auto& word : words) {
        require_settled(word);
      }
    }
    new_.lines = commands.lines;
    for (const auto& warning : commands.warnings) {
      new_.warnings.push_back(readable(warning));
    }
  }

  /// The run: a folder, of which a best_model.pth is named by the folder that holds it; both programs find
  /// their model there.
  std::string place_run() {
    placed_.insert({"--mode", "--model_path", "--output_dir"});
    const std::string model = old_.value("--model_path"), folder = old_.value("--output_dir");
    if (model.empty()) {
      if (folder.empty()) {
        warn("--model_path",
             "the call names no run; this is the folder in which a call without --output_dir "
             "trains now");
      }
      return folder.empty() ? default_run() : folder;
    }
    if (!folder.empty() && model.starts_with(folder)) {
      name_folder_of_model();
      return folder;
    }
    return run_of(model);
  }

  std::string run_of(const std::string& model) {
    const std::filesystem::path path(model);
    if (path.filename() == "best_model.pth" && !old_.has("--feature_cache_file")) {
      name_folder_of_model();
      return path.has_parent_path() ? path.parent_path().string() : ".";
    }
    if (path.extension() != ".pth" && path.extension() != ".pt") {
      require_settled(model);
    }
    return model;
  }

  void name_folder_of_model() {
    warn("--model_path",
         "the run folder that headroom train made is named, not a file in it; a folder or .pth file of the "
         "Python project may be named instead");
  }

  bool is_python_file(const std::string& run) const {
    const auto extension = std::filesystem::path(run).extension();
    return extension == ".pth" || extension == ".pt";
  }

  /// A .pth file is read with the named encoder and features; Headroom's own runs know theirs.
  void choose_features(Line& line, const std::string& run) {
    if (is_python_file(run)) {
      use_cached_features(line);
    } else {
      placed_.insert({"--foundation_model", "--feature_cache_file"});
    }
  }

  void evaluate() {
    Line line;
    const std::string run_name = place_run();
    line.word("headroom").word("evaluate").word(run_name);
    choose_features(line, run_name);
    placed_.insert(kOfBenchmark.begin(), kOfBenchmark.end());
    if (old_.has("--test_data_file") || old_.has("--test_drugood_subset")) {
      placed_.insert({"--test_data_file", "--test_drugood_subset"});
      line.option("--data", old_.value("--test_data_file", old_.value("--test_drugood_subset")));
    }
    if (is_python_file(run_name) || (old_.has("--test_drugood_subset") && !old_.has("--test_data_file"))) {
      name_data_path(line);
    }
    append_options(line, kEvaluate);
    new_.lines.push_back(line.text());
  }

  /// Molecules in a file, or on standard input.
  void add_score(const std::string& run_name, const std::string& file, const char* list_option,
                 const Line& options) {
    placed_.insert({list_option, "--test_file", "--input_file"});
    const auto listed = old_.given.find(list_option);
    const std::string tail = options.text().empty() ? "" : " " + options.text();
    Line whole;
    if (file.empty() && listed != old_.given.end()) {
      whole.word("printf").word("%s\\n");
      for (const auto& smiles : listed->second) {
        whole.word(smiles);
      }
      new_.lines.push_back(whole.text() + " | headroom score " + shell_word(run_name) + " -" + tail);
      return;
    }
    if (file.empty()) {
      warn(list_option, "no molecules are named; SMILES are read from standard input, one a line");
    }
    whole.word("headroom").word("score").word(run_name).word(file.empty() ? "-" : file);
    new_.lines.push_back(whole.text() + tail);
  }

  void score() {
    const std::string run_name = place_run();
    placed_.insert(kOfBenchmark.begin(), kOfBenchmark.end());
    placed_.insert({"--test_smiles", "--test_file"});
    Line options;
    choose_features(options, run_name);
    options.option("--format", "csv");
    append_options(options, kScore);
    warn("--mode",
         "predict wrote prediction_results.txt; scores are printed, or written with --out FILE.csv");
    add_score(run_name, old_.value("--test_file"), "--test_smiles", options);
  }

  void score_as_predictor() {
    const std::string run_name = old_.has("--model_path") ? run_of(old_.value("--model_path")) : "RUN";
    placed_.insert({"--model_path", "--input_file", "--smiles"});
    Line options;
    append_options(options, kScore);
    add_score(run_name, old_.value("--input_file"), "--smiles", options);
  }

  /// What the run knows when it is evaluated.
  static constexpr std::array kOfBenchmark = {"--dataset",     "--data_file",  "--drugood_subset",
                                              "--good_domain", "--good_shift", "--splits_cache_file"};

  const OldCommand& old_;
  const KnownValues& values_;
  NewCommands new_;
  std::set<std::string> placed_;  ///< options that have been translated
};

}  // namespace

NewCommands translate(const OldCommand& old, const KnownValues& values) {
  return Translation(old, values).translated();
}

}  // namespace headroom::migration
