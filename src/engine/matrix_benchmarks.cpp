#include "engine/matrix_benchmarks.h"

#include <fmt/format.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/hash.h"
#include "datasets/load_benchmark.h"
#include "datasets/make_benchmark.h"

namespace headroom::verbs {
namespace {

namespace fs = std::filesystem;

std::string hash_of_file(const std::string& path) {
  std::string text;
  for (const unsigned char byte : hash128(read_file(path))) {
    text += fmt::format("{:02x}", byte);
  }
  return text;
}

/// Everything the benchmark that a recipe makes depends on.
std::string recipe_identity(const SplitRequest& recipe) {
  return fmt::format("{} smiles {} label {} domain {} shift {} algorithm {} drop-acyclic {} seed {}\n",
                     hash_of_file(recipe.molecules), recipe.smiles_column, recipe.label_column, recipe.domain,
                     recipe.shift, recipe.algorithm, recipe.drop_acyclic, recipe.seed);
}

std::string make_from_recipe(SplitRequest recipe, const std::string& name, const fs::path& folder) {
  make_folder(folder);
  const fs::path file = folder / (name + ".json"), mark = folder / (name + ".recipe");
  const std::string identity = recipe_identity(recipe);
  if (!fs::exists(file) || !fs::exists(mark) || read_file(mark) != identity) {
    fs::remove(mark);
    recipe.out = file.string();
    datasets::make_benchmark(recipe);
    replace_file(mark, identity);
  }
  return file.string();
}

}  // namespace

MatrixBenchmarks::MatrixBenchmarks(const experiment::Spec& spec, const fs::path& folder, std::size_t threads,
                                   bool quiet) {
  for (const auto& benchmark : spec.benchmarks) {
    try {
      std::string& file = files_[benchmark.name];
      file = benchmark.file;
      if (benchmark.recipe) {
        SplitRequest recipe = *benchmark.recipe;
        recipe.threads = threads;
        recipe.quiet = quiet;
        file = make_from_recipe(recipe, benchmark.name, folder / "benchmarks");
      }
      add(spec, benchmark);
    } catch (const Error& problem) {
      throw InputError(fmt::format("{}:{}: benchmark '{}': {}", spec.file, benchmark.line, benchmark.name,
                                   problem.what()));
    }
  }
}

void MatrixBenchmarks::add(const experiment::Spec& spec, const experiment::BenchmarkSpec& benchmark) {
  const std::string& file = files_.at(benchmark.name);
  identities_[benchmark.name] = hash_of_file(file);
  for (const auto data_seed : spec.data_seeds) {
    datasets::OodSelection selection;
    selection.data_seed = data_seed;
    selection.train_size = spec.train_size;
    selection.val_size = spec.val_size;
    selection.test_size = spec.test_size;
    datasets::OodBenchmark drawn = datasets::load_ood_benchmark(file, selection);
    if (!benchmark.test.empty()) {
      datasets::OodTest test = datasets::load_ood_test(benchmark.test);
      drawn.test_id = std::move(test.test_id);
      drawn.test_ood = std::move(test.test_ood);
    }
    drawn_.emplace(std::pair(benchmark.name, data_seed), std::move(drawn));
  }
  if (!benchmark.test.empty()) {
    std::string& identity = identities_.at(benchmark.name);
    identity = fmt::format("{} tested on {}", identity, hash_of_file(benchmark.test));
  }
}

const datasets::OodBenchmark& MatrixBenchmarks::drawn(const std::string& benchmark,
                                                      std::uint64_t data_seed) const {
  return drawn_.at({benchmark, data_seed});
}

}  // namespace headroom::verbs
