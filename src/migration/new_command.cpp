#include "migration/new_command.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "migration/shell_words.h"
#include "options/tables.h"

namespace headroom::migration {
namespace {

constexpr char kTrain = 't', kEvaluate = 'v', kScore = 's', kBaseline = 'b', kExperiment = 'x';
constexpr std::string_view kGood = "good_";

/// A command under construction.
class Line {
 public:
  Line& word(const std::string& word) {
    text_ += (text_.empty() ? "" : " ") + shell_word(word);
    return *this;
  }
  Line& option(const std::string& name, const std::string& value) { return word(name).word(value); }
  std::string text() const { return text_; }

 private:
  std::string text_;
};

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_variable(const std::string& value) { return value.find('$') != std::string::npos; }

/// The loss that the counterpart of an option belongs to; empty where it has an effect with every loss.
std::string_view loss_of(const OldOption& old) {
  const options::Option* const option =
      old.counterpart.starts_with("--")
          ? options::find_option(options::table<TrainRequest>(), old.counterpart.substr(2))
          : nullptr;
  if (option != nullptr) {
    for (const options::Condition& condition : option->conditions) {
      if (condition.option == "loss") {
        return *condition.values.begin();
      }
    }
  }
  return {};
}

class Translation {
 public:
  explicit Translation(const OldCommand& old) : old_(old) {}

  NewCommands translated() {
    for (const auto& word : old_.unknown) {
      warn(word, "no option of " + std::string(to_string(old_.program)) + "; left out");
    }
    const std::string mode = old_.value("--mode");
    if (old_.program == OldProgram::predictor) {
      score_as_predictor();
    } else if (old_.program == OldProgram::baselines) {
      baseline();
    } else if (old_.program == OldProgram::experiments) {
      experiment();
    } else if (mode == "train") {
      train();
    } else if (mode == "eval") {
      evaluate();
    } else if (mode == "predict") {
      score();
    } else {
      warn("--mode", "train, eval or predict is needed to know the verb");
    }
    return std::move(new_);
  }

 private:
  void warn(const std::string& option, std::string_view text) {
    new_.warnings.push_back(readable(fmt::format("{}: {}", option, text)));
  }

  /// Appends the options whose counterpart of this verb has the same form, and warns of the others.
  void append_options(Line& line, char verb) {
    const std::string loss = old_.value("--loss_type", "dpo");
    for (const OldOption& option : old_options()) {
      const std::string name(option.name);
      if (!old_.has(name) || find_old_option(old_.program, name) != &option || placed_.contains(name)) {
        continue;
      }
      const bool of_verb = option.verbs.find(verb) != std::string_view::npos;
      const std::string_view needed = loss_of(option);
      if (!of_verb) {
        warn(name, option.counterpart.empty() || option.explanation.empty()
                       ? (option.explanation.empty() ? "the run knows it" : option.explanation)
                       : fmt::format("now {}: {}", option.counterpart, option.explanation));
      } else if (!needed.empty() && needed != loss && !is_variable(loss)) {
        warn(name, fmt::format("has no effect with the loss {}; left out", loss));
      } else {
        append(line, option, old_.value(name));
      }
    }
  }

  void append(Line& line, const OldOption& option, std::string value) {
    line.word(std::string(option.counterpart));
    if (!option.flag) {
      value = option.name == "--log_level" ? (value == "WARNING" ? "warn" : lower(value)) : value;
      line.word(value);
    }
    // Together with its loss, an option of one loss has its former meaning.
    const bool fits = !loss_of(option).empty() || (option.name == "--foundation_model" && value == "minimol");
    if (!option.explanation.empty() && !fits) {
      warn(std::string(option.name), option.explanation);
    }
  }

  /// The benchmark of the call: a file, or a name that --data-path resolves. GOOD's has to be made first.
  std::string benchmark() {
    placed_.insert({"--dataset", "--data_file", "--drugood_subset", "--good_domain", "--good_shift"});
    const std::string dataset = old_.value("--dataset");
    const bool variable = is_variable(dataset) && old_.has("--good_domain");
    if (variable || lower(dataset).starts_with(kGood)) {
      return good_benchmark(variable ? dataset : lower(dataset));
    }
    return old_.value("--data_file", old_.value("--drugood_subset", dataset));
  }

  /// The placeholder BENCHMARK where the call names none: the Python program refused such a call, too.
  std::string named_benchmark() {
    std::string name = benchmark();
    if (name.empty()) {
      warn("--dataset",
           "no data set is named (--dataset, --data_file or --drugood_subset); name a benchmark file in "
           "place of BENCHMARK, as headroom split makes one");
      return "BENCHMARK";
    }
    return name;
  }

  std::string good_benchmark(const std::string& dataset) {
    const std::string domain = old_.value("--good_domain", "scaffold");
    const std::string shift = old_.value("--good_shift", "covariate");
    const std::string file = fmt::format("{}_{}_{}.json", dataset, domain, shift);
    placed_.insert("--data_path");
    if (old_.value("--mode") == "train") {
      const std::string molecules = dataset.starts_with(kGood) ? dataset.substr(kGood.size()) : dataset;
      Line split;
      split.word("headroom").word("split").word(molecules + ".csv").option("--algorithm", "good");
      split.option("--domain", domain)
          .option("--shift", shift == "no_shift" ? "none" : shift)
          .option("--out", file);
      new_.lines.push_back(split.text());
      warn("--dataset",
           "the first command makes the same split from the CSV of the molecules, whose label column is to "
           "be named "
           "with --label-column; GOOD's own folder (GOODHIV/scaffold/processed) may be named instead of the "
           "CSV");
    }
    return file;
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

  void train() {
    Line line;
    line.word("headroom").word("train").word(named_benchmark());
    placed_.insert({"--mode", "--output_dir"});
    line.option("--run", old_.value("--output_dir", "runs/" + old_.value("--exp_name", "first")));
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
    line.word("headroom").word("baseline").word(named_benchmark());
    placed_.insert("--output_dir");
    line.option("--run", old_.value("--output_dir", "baseline_results"));
    append_options(line, kBaseline);
    new_.lines.push_back(line.text());
  }

  /// A matrix is described in a file, which takes the place of the options.
  void experiment() {
    Line line;
    line.word("headroom").word("experiment").word("SPEC.toml");
    placed_.insert("--output_dir");
    line.option("--out", old_.value("--output_dir", "outputs"));
    append_options(line, kExperiment);
    warn("SPEC.toml", "one of specs/, or your own: benchmarks, encoders, methods and seeds of the matrix");
    new_.lines.push_back(line.text());
  }

  /// The run: its folder if the model is in it or is not named.
  std::string place_run() {
    placed_.insert({"--mode", "--model_path", "--output_dir"});
    const std::string model = old_.value("--model_path"), folder = old_.value("--output_dir");
    if (folder.empty() && model.empty()) {
      warn("--model_path", "name the run folder in place of RUN");
      return "RUN";
    }
    const bool inside = model.empty() || model.starts_with("$") || model.starts_with(folder);
    if (!folder.empty() && inside) {
      warn("--model_path",
           "the run folder that headroom train made is named, not a file in it; a .pth file of the "
           "Python project may be named instead");
      return folder;
    }
    return model;
  }

  /// A .pth file is read with the named encoder and features; Headroom's own runs know theirs.
  void choose_features(Line& line, const std::string& run) {
    const auto extension = std::filesystem::path(run).extension();
    if (extension == ".pth" || extension == ".pt") {
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
    benchmark();
    placed_.insert("--splits_cache_file");
    if (old_.has("--test_data_file") || old_.has("--test_drugood_subset")) {
      placed_.insert({"--test_data_file", "--test_drugood_subset"});
      line.option("--data", old_.value("--test_data_file", old_.value("--test_drugood_subset")));
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
      warn(list_option, "no molecules are named; name a file in place of MOLECULES");
    }
    whole.word("headroom").word("score").word(run_name).word(file.empty() ? "MOLECULES" : file);
    new_.lines.push_back(whole.text() + tail);
  }

  void score() {
    const std::string run_name = place_run();
    benchmark();
    placed_.insert({"--test_smiles", "--test_file", "--splits_cache_file"});
    Line options;
    choose_features(options, run_name);
    options.option("--format", "csv");
    append_options(options, kScore);
    warn("--mode",
         "predict wrote prediction_results.txt; scores are printed, or written with --out FILE.csv");
    add_score(run_name, old_.value("--test_file"), "--test_smiles", options);
  }

  void score_as_predictor() {
    const std::string run_name = old_.value("--model_path", "RUN");
    placed_.insert({"--model_path", "--input_file", "--smiles"});
    Line options;
    append_options(options, kScore);
    add_score(run_name, old_.value("--input_file"), "--smiles", options);
  }

  const OldCommand& old_;
  NewCommands new_;
  std::set<std::string> placed_;  ///< options that have been translated
};

}  // namespace

NewCommands translate(const OldCommand& old) { return Translation(old).translated(); }

}  // namespace headroom::migration
