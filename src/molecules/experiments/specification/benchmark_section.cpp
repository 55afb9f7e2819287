#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/options/settings.h"
#include "base/options/tables.h"
#include "molecules/experiments/specification/spec_sections.h"

namespace molgauge::experiment {
namespace {

std::string existing_file(TomlTable& table, const char* key, const std::string& name,
                          const std::filesystem::path& data) {
  const auto path = (data / name).string();
  if (!std::filesystem::is_regular_file(path)) {
    table.refuse_key(
        key, fmt::format("{}: no such file. Paths are relative to {}. To change that, use --data-path", path,
                         data.empty() ? "." : data.string()));
  }
  return path;
}

SplitRequest read_recipe(TomlTable& table, const std::filesystem::path& data) {
  SplitRequest recipe;
  recipe.molecules =
      existing_file(table, "molecules", table.find<std::string>("molecules").value_or(""), data);
  read_section(table, options::mutable_view(recipe), options::Section::benchmark);
  return recipe;
}

}  // namespace

BenchmarkSpec read_benchmark(TomlTable& table, const std::filesystem::path& data) {
  BenchmarkSpec benchmark;
  benchmark.line = table.line();
  benchmark.name = read_name(table, "benchmark");
  const auto file = table.find<std::string>("file");
  if (file.has_value() == table.has("molecules")) {
    refuse(table.file(), benchmark.line,
           fmt::format("benchmark '{}' needs either file = \"BENCH.json\" or molecules = \"TABLE.csv\"",
                       benchmark.name));
  }
  if (file) {
    benchmark.file = existing_file(table, "file", *file, data);
  } else {
    benchmark.recipe = read_recipe(table, data);
  }
  benchmark.allow_overlap = table.find<bool>("allow-overlap").value_or(false);
  if (const auto test = table.find<std::string>("test")) {
    benchmark.test = existing_file(table, "test", *test, data);
    benchmark.drop_trained = table.find<bool>("drop-trained").value_or(false);
    benchmark.test_sample = table.find_count("test-sample", options::kMoleculeCount).value_or(0);
  }
  const std::string common = "allow-overlap, test, drop-trained and test-sample (with test)";
  table.require_nothing_else(
      file ? "name, file, " + common
           : fmt::format(
                 "name, molecules, {} and the options of molgauge split: {}", common,
                 fmt::join(keys_of(options::table<SplitRequest>(), options::Section::benchmark), ", ")));
  return benchmark;
}

}  // namespace molgauge::experiment
