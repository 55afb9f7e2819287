#include "experiment/spec.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "experiment/method_options.h"
#include "experiment/toml_reader.h"
#include "headroom/baseline_options.h"

namespace headroom::experiment {
namespace {

/// Names become folders and cells of tables.
std::string read_name(TomlTable& table, const char* what) {
  const auto name = table.find<std::string>("name");
  if (!name || name->empty()) {
    refuse(table.file(), table.line(), fmt::format("this {} has no name; add name = \"...\"", what));
  }
  const bool plain = std::all_of(name->begin(), name->end(), [](unsigned char letter) {
    return std::isalnum(letter) != 0 || letter == '-' || letter == '_' || letter == '.';
  });
  if (!plain || name->front() == '.') {
    table.refuse_key("name",
                     fmt::format("'{}' becomes the name of a folder: letters, digits, '-', '_', '.'", *name));
  }
  return *name;
}

class SpecReader {
 public:
  SpecReader(const std::filesystem::path& path, std::filesystem::path data)
      : file_(path.string()), data_(data.empty() ? path.parent_path() : std::move(data)) {}

  Spec read(const toml::table& table) {
    TomlTable root(table, file_);
    Spec spec;
    spec.file = file_;
    spec.title = root.find<std::string>("title").value_or("");
    const auto matrix = root.tables("matrix");
    if (matrix.size() != 1) {
      refuse(file_, 1, "needs one [matrix] with encoders = [...] and seeds = [...]");
    }
    read_matrix(matrix.front(), spec);
    for (auto& training : root.tables("training")) {
      spec.training = read_options(training);
      check_options("energy-head", spec.training, training);
    }
    for (auto& classifier : root.tables("classifier")) {
      spec.classifier = read_options(classifier);
      check_options("baselines", spec.classifier, classifier);
    }
    for (auto& benchmark : root.tables("benchmark")) {
      spec.benchmarks.push_back(read_benchmark(benchmark));
    }
    for (auto& method : root.tables("method")) {
      spec.methods.push_back(read_method(method));
    }
    for (auto& hard_pairs : root.tables("hard-pairs")) {
      spec.hard_pairs = read_hard_pairs(hard_pairs);
    }
    require_effect(root, spec);
    root.require_nothing_else(
        "title, [matrix], [training], [classifier], [[benchmark]], [[method]], [hard-pairs]");
    require_filled(spec);
    return spec;
  }

 private:
  void read_matrix(TomlTable matrix, Spec& spec) {
    for (const auto& encoder : matrix.values("encoders")) {
      spec.encoders.push_back(to_text(encoder));
    }
    spec.seeds = read_seeds(matrix, "seeds", spec.seeds);
    spec.data_seeds = read_seeds(matrix, "data-seeds", spec.data_seeds);
    spec.dataset_type = matrix.find<std::string>("dataset-type").value_or(spec.dataset_type);
    spec.train_size = matrix.find_count("train-size");
    spec.val_size = matrix.find_count("val-size");
    spec.test_size = matrix.find_count("test-size");
    matrix.require_nothing_else("encoders, seeds, data-seeds, dataset-type, train-size, val-size, test-size");
  }

  static std::vector<std::uint64_t> read_seeds(TomlTable& matrix, const char* key,
                                               const std::vector<std::uint64_t>& otherwise) {
    std::vector<std::uint64_t> seeds;
    for (const auto& value : matrix.values(key)) {
      const auto* const seed = std::get_if<std::int64_t>(&value);
      if (seed == nullptr || *seed < 0) {
        matrix.refuse_key(key, fmt::format("'{}' holds {}, which is no seed", key, to_text(value)));
      }
      if (std::find(seeds.begin(), seeds.end(), static_cast<std::uint64_t>(*seed)) != seeds.end()) {
        matrix.refuse_key(key, fmt::format("'{}' holds {} twice", key, *seed));
      }
      seeds.push_back(static_cast<std::uint64_t>(*seed));
    }
    return seeds.empty() ? otherwise : seeds;
  }

  /// All the keys that are left.
  static std::vector<OptionRange> read_options(TomlTable& table) {
    std::vector<OptionRange> options;
    for (const auto& name : table.rest()) {
      options.push_back({name, table.values(name)});
    }
    return options;
  }

  /// By name and kind. `method`: energy, or the name of a baseline.
  static void check_options(const std::string& method, const std::vector<OptionRange>& options,
                            const TomlTable& table) {
    TrainRequest energy;
    BaselineRequest baseline;
    baseline.method = method;
    for (const auto& option : options) {
      for (const auto& value : option.values) {
        try {
          if (method == "energy-head") {
            set_energy_option(energy, option.name, value);
          } else {
            set_baseline_option(baseline, option.name, value);
          }
        } catch (const UsageError& problem) {
          table.refuse_key(option.name, problem.what());
        }
      }
    }
  }

  /// Shared options that no method looks at are a mistake.
  static void require_effect(TomlTable& root, const Spec& spec) {
    const auto read_by_any = [&](auto reads) {
      return std::any_of(spec.methods.begin(), spec.methods.end(), reads);
    };
    const auto is_energy = [](const MethodSpec& method) { return method.kind == "energy-head"; };
    for (const auto& training : root.tables("training")) {
      if (!read_by_any(is_energy)) {
        refuse(training.file(), training.line(), "[training] has no effect: no method is an energy head");
      }
    }
    for (const auto& classifier : root.tables("classifier")) {
      for (const auto& option : spec.classifier) {
        if (!read_by_any([&](const MethodSpec& method) {
              return !is_energy(method) && why_without_effect(option.name, method.kind).empty();
            })) {
          classifier.refuse_key(option.name,
                                fmt::format("'{}' has no effect: no method looks at it", option.name));
        }
      }
    }
  }

  std::string existing_file(TomlTable& table, const char* key, const std::string& name) const {
    const auto path = (data_ / name).string();
    if (!std::filesystem::is_regular_file(path)) {
      table.refuse_key(key, fmt::format("{}: no such file; names are taken from {} (--data-path says "
                                        "otherwise)",
                                        path, data_.empty() ? "." : data_.string()));
    }
    return path;
  }

  BenchmarkSpec read_benchmark(TomlTable& table) const {
    BenchmarkSpec benchmark;
    benchmark.line = table.line();
    benchmark.name = read_name(table, "benchmark");
    const auto file = table.find<std::string>("file");
    if (file.has_value() == table.has("molecules")) {
      refuse(file_, benchmark.line,
             fmt::format("benchmark '{}' needs either file = \"BENCH.json\" or molecules = \"TABLE.csv\"",
                         benchmark.name));
    }
    if (file) {
      benchmark.file = existing_file(table, "file", *file);
    } else {
      benchmark.recipe = read_recipe(table);
    }
    if (const auto test = table.find<std::string>("test")) {
      benchmark.test = existing_file(table, "test", *test);
      benchmark.drop_trained = table.find<bool>("drop-trained").value_or(false);
      benchmark.test_sample = table.find_count("test-sample").value_or(0);
    }
    table.require_nothing_else(
        file ? "name, file, test, drop-trained and test-sample (with test)"
             : "name, molecules, test, drop-trained and test-sample (with test) and the options of headroom "
               "split: "
               "smiles-column, "
               "label-column, domain, shift, algorithm, style, drop-acyclic, keep-spellings, assay-column, "
               "relation-column, subset, split-seed");
    return benchmark;
  }

  SplitRequest read_recipe(TomlTable& table) const {
    SplitRequest recipe;
    recipe.molecules = existing_file(table, "molecules", table.find<std::string>("molecules").value_or(""));
    const auto text = [&](const char* key, std::string& target) {
      target = table.find<std::string>(key).value_or(target);
    };
    text("smiles-column", recipe.smiles_column);
    for (const auto& column : table.values("label-column")) {
      recipe.label_columns.push_back(to_text(column));
    }
    text("domain", recipe.domain);
    text("shift", recipe.shift);
    text("algorithm", recipe.algorithm);
    text("style", recipe.style);
    text("assay-column", recipe.table.assay_column);
    text("relation-column", recipe.table.relation_column);
    text("subset", recipe.table.subset);
    recipe.drop_acyclic = table.find<bool>("drop-acyclic").value_or(recipe.drop_acyclic);
    recipe.keep_spellings = table.find<bool>("keep-spellings").value_or(recipe.keep_spellings);
    recipe.seed = table.find_count("split-seed").value_or(recipe.seed);
    return recipe;
  }

  static HardPairSpec read_hard_pairs(TomlTable& table) {
    constexpr std::uint64_t kMostPairs = 10'000'000;
    HardPairSpec hard_pairs{.line = table.line()};
    const std::uint64_t pairs = table.find_count("pairs").value_or(hard_pairs.pairs);
    if (pairs == 0 || pairs > kMostPairs) {
      table.refuse_key("pairs", fmt::format("'pairs' is between 1 and {}", kMostPairs));
    }
    hard_pairs.pairs = pairs;
    table.require_nothing_else("pairs");
    return hard_pairs;
  }

  MethodSpec read_method(TomlTable& table) const {
    MethodSpec method;
    method.line = table.line();
    method.name = read_name(table, "method");
    method.kind = table.find<std::string>("kind").value_or(method.kind);
    method.options = read_options(table);
    check_options(method.kind, method.options, table);
    return method;
  }

  template <typename Named>
  void require_distinct(const std::vector<Named>& all, const char* what) const {
    std::set<std::string> names;
    for (const auto& one : all) {
      if (!names.insert(one.name).second) {
        refuse(file_, one.line, fmt::format("there are two {} called '{}'", what, one.name));
      }
    }
  }

  void require_filled(const Spec& spec) const {
    if (spec.encoders.empty()) {
      refuse(file_, 1, "[matrix] needs encoders = [\"minimol\"], say");
    }
    if (spec.benchmarks.empty()) {
      refuse(file_, 1, "needs at least one [[benchmark]]");
    }
    if (spec.methods.empty()) {
      refuse(file_, 1, "needs at least one [[method]], such as name = \"energy-dpo\" with loss = \"dpo\"");
    }
    require_distinct(spec.benchmarks, "benchmarks");
    require_distinct(spec.methods, "methods");
  }

  std::string file_;
  std::filesystem::path data_;
};

}  // namespace

Spec read_spec(const std::filesystem::path& path, const std::filesystem::path& data) {
  const std::string text = read_file(path);
  try {
    return SpecReader(path, data).read(toml::parse(text, path.string()));
  } catch (const toml::parse_error& problem) {
    refuse(path.string(), problem.source().begin.line, std::string(problem.description()));
  }
}

}  // namespace headroom::experiment
