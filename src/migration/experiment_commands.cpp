#include "migration/experiment_commands.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "migration/command_line.h"
#include "migration/good_benchmarks.h"

namespace headroom::migration {
namespace {

constexpr const char* kFolder = "data/raw";  ///< of the files, where the call names none
constexpr const char* kEndOfFile = "END_OF_SPECIFICATION";

/// What a script of the Python project does without options, as its documentation has it.
struct Study {
  std::string_view script, title, stem;
  bool has_good_sets = false, has_baselines = false, has_all_losses = false, has_pairs = false;
  std::string_view epochs = "500", batch_size = "8192";
  std::string_view out = "outputs";
};

constexpr std::array kStudies = {
    Study{"run_experiments.sh", "Energy-DPO over seeds", "experiments"},
    Study{.script = "run_good_experiments.sh",
          .title = "Energy-DPO on GOOD",
          .stem = "good_experiments",
          .has_good_sets = true,
          .epochs = "50",
          .batch_size = "512"},
    Study{.script = "run_baselines.sh",
          .title = "Baselines",
          .stem = "baselines",
          .has_baselines = true,
          .batch_size = "1024",
          .out = "baseline_outputs"},
    Study{.script = "run_cross_dataset_experiments.sh",
          .title = "Across datasets",
          .stem = "cross_dataset",
          .has_pairs = true,
          .out = "cross_dataset"},
    Study{.script = "run_ablation.sh", .title = "Loss ablation", .stem = "ablation", .has_all_losses = true},
    Study{.script = "run_ablation_study.py",
          .title = "Loss ablation",
          .stem = "ablation",
          .has_all_losses = true}};

const Study* find_study(const std::string& script) {
  const auto found = std::ranges::find(kStudies, script, &Study::script);
  return found == kStudies.end() ? nullptr : &*found;
}

using Texts = std::vector<std::string>;

/// A text of TOML.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char character : readable(text)) {
    if (character == '"' || character == '\\') {
      result += '\\';
    }
    result += static_cast<unsigned char>(character) < 0x20 ? ' ' : character;
  }
  return result + '"';
}

std::string list_of(const Texts& texts) {
  Texts items;
  for (const std::string& text : texts) {
    items.push_back(quoted(text));
  }
  return fmt::format("[{}]", fmt::join(items, ", "));
}

/// A name of the specification: other characters than its letters become dashes.
std::string name_of(std::string text) {
  for (char& character : text) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_';
    character = is_plain ? character : '-';
  }
  return text;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.eE+-") == std::string::npos;
}

class Specification {
 public:
  Specification(const OldCommand& old, const Study& study) : old_(old), study_(study) {}

  ExperimentCommands commands() {
    text_ = fmt::format("title = {}\n", quoted(std::string(study_.title)));
    add_matrix();
    add_training();
    study_.has_pairs ? add_pairs() : add_benchmarks();
    add_methods();
    explain_the_rest();
    const std::string file = fmt::format("{}.toml", study_.stem);
    commands_.lines.push_back(fmt::format("cat > {} <<'{}'\n{}{}", file, kEndOfFile, text_, kEndOfFile));
    Line line;
    line.word("headroom").word("experiment").word(file).option("--data-path", folder());
    line.option("--out", old_.value("--output_dir", std::string(study_.out)));
    commands_.lines.push_back(line.text());
    return std::move(commands_);
  }

 private:
  void warn(const std::string& option, const std::string& text) {
    commands_.warnings.push_back(fmt::format("{}: {}", option, text));
  }

  std::string folder() const { return old_.value("--data_path", kFolder); }

  Texts values(const std::string& option, Texts otherwise) const {
    const auto found = old_.given.find(option);
    return found == old_.given.end() || found->second.empty() ? std::move(otherwise) : found->second;
  }

  /// A number of the call, or the one of the script.
  std::string number(const std::string& option, std::string_view otherwise) {
    const std::string given = old_.value(option, std::string(otherwise));
    if (!is_number(given)) {
      warn(option, fmt::format("'{}' is no number; {} is taken", readable(given), otherwise));
      return std::string(otherwise);
    }
    return given;
  }

  /// Seeds as the scripts take them: one after the other, or several in one word.
  Texts numbers(const std::string& option, const Texts& otherwise) {
    Texts numbers;
    for (const std::string& word : values(option, otherwise)) {
      std::string rest = word;
      std::ranges::replace(rest, ',', ' ');
      for (std::size_t at = 0; (at = rest.find_first_not_of(' ', at)) != std::string::npos;) {
        const std::size_t end = std::min(rest.find(' ', at), rest.size());
        const std::string one = rest.substr(at, end - at);
        is_number(one) ? numbers.push_back(one)
                       : warn(option, fmt::format("'{}' is no number; left out", readable(one)));
        at = end;
      }
    }
    return numbers;
  }

  void add_matrix() {
    Texts seeds = numbers("--seeds", {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"});
    if (old_.has("--quick") && !old_.has("--seeds")) {
      seeds = {"1"};
      warn("--quick", "one seed and 10 epochs, where the call names none");
    } else if (!old_.has("--seeds")) {
      warn("--seeds", "the call names none; the specification has the seeds 1 to 10");
    }
    text_ += fmt::format("\n[matrix]\nencoders = {}\nseeds = [{}]\n",
                         list_of(values("--foundation_models", {"minimol"})), fmt::join(seeds, ", "));
    if (old_.has("--data_seed")) {
      text_ += fmt::format("data-seeds = [{}]\n", fmt::join(numbers("--data_seed", {}), ", "));
    }
  }

  void add_training() {
    const std::string epochs = number("--epochs", old_.has("--quick") ? "10" : study_.epochs);
    const std::string batch = number("--batch_size", study_.batch_size);
    if (study_.has_baselines) {
      text_ += fmt::format(
          "\n[classifier]\nepochs = {}\nbatch-size = {}\npatience = 30\nmetrics = \"baseline\"\n"
          "calibration = \"validation\"\n",
          epochs, batch);
      warn("[classifier]",
           "metrics and calibration are those of baselines.py; headroom's defaults are evaluation and "
           "held-out");
      return;
    }
    text_ += fmt::format("\n[training]\nepochs = {}\nbatch-size = {}\nearly-stopping = \"reference\"\n",
                         epochs, batch);
    if (!study_.has_good_sets) {
      text_ += "eval-batch-size = 4096\neval-steps = 25\n";
    }
    if (old_.has("--lr")) {
      text_ += fmt::format("lr = {}\n", number("--lr", "1e-4"));
    }
  }

  void add_benchmark(const std::string& name, const std::string& file) {
    text_ += fmt::format("\n[[benchmark]]\nname = {}\nfile = {}\n", quoted(name_of(name)), quoted(file));
  }

  /// Names of DrugOOD files, without the prefix by which the Python project knows their kind.
  static std::string drugood_name(const std::string& name) {
    constexpr std::string_view kPrefix = "drugood_";
    return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
  }

  void add_good_benchmark(const std::string& set, const std::string& domain, const std::string& shift) {
    const GoodBenchmark made = make_good_benchmark(set, domain, shift, folder());
    commands_.lines.push_back(made.command);
    warn("--datasets", made.remark);
    const std::string file = without_folders_of(made.file);
    add_benchmark(file.substr(0, file.size() - std::string_view(".json").size()), file);
  }

  static std::string without_folders_of(const std::string& path) {
    const auto slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
  }

  void add_benchmarks() {
    const Texts drugood =
        study_.has_all_losses
            ? Texts{"lbap_general_ec50_scaffold"}
            : Texts{"lbap_general_ec50_assay", "lbap_general_ec50_scaffold", "lbap_general_ec50_size"};
    const Texts names = values("--datasets", study_.has_good_sets ? Texts{"hiv", "pcba", "zinc"} : drugood);
    const Texts domains =
        values("--domains",
               values("--good_domain", study_.has_good_sets ? Texts{"size", "scaffold"} : Texts{"scaffold"}));
    const Texts shifts = values(
        "--shifts", values("--good_shift", study_.has_good_sets ? Texts{"covariate", "concept", "no_shift"}
                                                                : Texts{"covariate"}));
    for (const std::string& name : names) {
      if (!study_.has_good_sets && !is_good_data_set(name)) {
        add_benchmark(drugood_name(name), drugood_name(name) + ".json");
        continue;
      }
      for (const std::string& domain : domains) {
        for (const std::string& shift : shifts) {
          add_good_benchmark(name, domain, shift);
        }
      }
    }
  }

  /// Trained on one file, tested on each of the others.
  void add_pairs() {
    const Texts names = values(
        "--datasets", {"lbap_general_ec50_assay", "lbap_general_ec50_scaffold", "lbap_general_ec50_size"});
    for (const std::string& trained : names) {
      for (const std::string& tested : names) {
        if (trained != tested) {
          const std::string from = drugood_name(trained), to = drugood_name(tested);
          add_benchmark(from + "_to_" + to, from + ".json");
          text_ += fmt::format("test = {}\ndrop-trained = true\n", quoted(to + ".json"));
        }
      }
    }
    warn("drop-trained",
         "test molecules that the training has seen are left out; the Python program tested on them as well");
  }

  void add_methods() {
    if (study_.has_baselines) {
      static const Texts kAll = {"msp", "odin",       "energy",    "mahalanobis", "knn",
                                 "lof", "mc_dropout", "conformal", "dam_msp",     "dam_energy"};
      const Texts given = values("--methods", kAll);
      for (const std::string& kind : given == Texts{"all"} ? kAll : given) {
        const std::string name = kind == "energy" ? "free-energy" : name_of(kind);
        text_ += fmt::format("\n[[method]]\nname = {}\nkind = {}\n", quoted(name), quoted(kind));
        text_ += kind == "odin" ? "odin-temperature = 1000\n" : "";
      }
      return;
    }
    const Texts losses = values("--only_loss_types",
                                study_.has_all_losses ? Texts{"dpo", "bce", "mse", "hinge"} : Texts{"dpo"});
    for (const std::string& loss : losses) {
      text_ += fmt::format("\n[[method]]\nname = {}\nloss = {}\n", quoted("energy-" + name_of(loss)),
                           quoted(loss));
    }
  }

  /// Options that this study has no place for.
  void explain_the_rest() {
    if (old_.has("--skip_training")) {
      warn("--skip_training", std::string(find_old_option(old_.program, "--skip_training")->explanation));
    }
    const auto refuse = [&](const char* option, bool is_taken) {
      if (old_.has(option) && !is_taken) {
        warn(option, fmt::format("{} has no use for it; left out", old_.name));
      }
    };
    refuse("--methods", study_.has_baselines);
    refuse("--only_loss_types", !study_.has_baselines);
    refuse("--lr", !study_.has_baselines);
  }

  const OldCommand& old_;
  const Study& study_;
  std::string text_;
  ExperimentCommands commands_;
};

}  // namespace

ExperimentCommands experiment_commands(const OldCommand& old) {
  const Study* const study = find_study(old.name);
  if (study == nullptr) {
    return {{},
            {old.name +
             ": it compares a frozen encoder with a fine-tuned one: run `headroom train --encoder unimol` "
             "for each "
             "seed, with --finetune-encoder and without, and `headroom evaluate` on each of the folders"}};
  }
  return Specification(old, *study).commands();
}

}  // namespace headroom::migration
