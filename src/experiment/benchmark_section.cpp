#include <fmt/format.h>

#include "experiment/spec_sections.h"

namespace headroom::experiment {
namespace {

std::string existing_file(TomlTable& table, const char* key, const std::string& name,
                          const std::filesystem::path& data) {
  const auto path = (data / name).string();
  if (!std::filesystem::is_regular_file(path)) {
    table.refuse_key(key, fmt::format("{}: no such file; names are taken from {} (--data-path says "
                                      "otherwise)",
                                      path, data.empty() ? "." : data.string()));
  }
  return path;
}

SplitRequest read_recipe(TomlTable& table, const std::filesystem::path& data) {
  SplitRequest recipe;
  recipe.molecules =
      existing_file(table, "molecules", table.find<std::string>("molecules").value_or(""), data);
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
    benchmark.test_sample = table.find_count("test-sample").value_or(0);
  }
  table.require_nothing_else(
      file ? "name, file, allow-overlap, test, drop-trained and test-sample (with test)"
           : "name, molecules, allow-overlap, test, drop-trained and test-sample (with test) and the options "
             "of headroom "
             "split: smiles-column, label-column, domain, shift, algorithm, style, drop-acyclic, "
             "keep-spellings, assay-column, relation-column, subset, split-seed");
  return benchmark;
}

}  // namespace headroom::experiment
