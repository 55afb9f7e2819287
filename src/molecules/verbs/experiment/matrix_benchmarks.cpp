#include "molecules/verbs/experiment/matrix_benchmarks.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/call_outputs.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/hash.h"
#include "base/core/random/numpy_random.h"
#include "molecules/datasets/benchmark_selection.h"
#include "molecules/datasets/load_benchmark.h"
#include "molecules/datasets/make_benchmark.h"
#include "molecules/datasets/trained_molecules.h"
#include "molecules/verbs/experiment/matrix_requests.h"

namespace molgauge::verbs {
namespace {

namespace fs = std::filesystem;

std::string hash_of_file(const std::string& path) {
  std::string text;
  for (const unsigned char byte : hash128(read_file(path))) {
    text += fmt::format("{:02x}", byte);
  }
  return text;
}

/// Returns a text of everything that the benchmark of a recipe depends on.
std::string recipe_identity(const SplitRequest& recipe) {
  const MeasurementTable& table = recipe.table;
  return fmt::format(
      "{} smiles {} labels {} domain {} shift {} algorithm {} style {} drop-acyclic {} keep-spellings {} "
      "assay {} "
      "relation {} subset {} seed {}\n",
      hash_of_file(recipe.molecules), recipe.smiles_column, fmt::join(recipe.label_columns, ","),
      to_string(recipe.domain), to_string(recipe.shift), to_string(recipe.algorithm), to_string(recipe.style),
      recipe.drop_acyclic, recipe.keep_spellings, table.assay_column, table.relation_column,
      to_string(table.subset), recipe.seed);
}

std::string make_from_recipe(SplitRequest recipe, const std::string& name, const fs::path& folder) {
  make_folder(folder);
  const fs::path file = folder / (name + ".json"), mark = folder / (name + ".recipe");
  const std::string identity = recipe_identity(recipe);
  const auto damaged = damaged_files(folder);
  const bool is_whole =
      std::ranges::find(damaged, file) == damaged.end() && std::ranges::find(damaged, mark) == damaged.end();
  if (!is_whole || !fs::exists(file) || !fs::exists(mark) || read_file(mark) != identity) {
    fs::remove(mark);
    keep_checksums(folder);
    recipe.out = file.string();
    datasets::make_benchmark(recipe);
    replace_file(mark, identity);
  }
  return file.string();
}

/// Draws `count` molecules like load_ood_benchmark(). If `count` is 0 or not less than the number of
/// molecules, keeps all of them.
void sample(std::vector<datasets::BenchmarkMolecule>& molecules, std::size_t count, std::uint64_t seed) {
  if (count == 0 || count >= molecules.size()) {
    return;
  }
  std::vector<datasets::BenchmarkMolecule> drawn;
  for (const std::size_t place : NumpyRandom(seed).choose(molecules.size(), count)) {
    drawn.push_back(std::move(molecules[place]));
  }
  molecules = std::move(drawn);
}

/// Replaces the test sides. The options of the benchmark decide about new test molecules that are also
/// training molecules. They are refused, left out, or accepted and counted.
void test_on_other(datasets::OodBenchmark& drawn, const experiment::BenchmarkSpec& benchmark,
                   std::uint64_t data_seed, const ComputeOptions& compute) {
  datasets::OodTest test = datasets::load_ood_test(benchmark.test, benchmark.allow_overlap, compute);
  const datasets::TrainedMolecules trained = datasets::trained_molecules(drawn);
  if (benchmark.drop_trained) {
    datasets::take_out_trained(test, trained);
  } else {
    const auto seen = datasets::find_trained_molecules(test, trained, benchmark.test);
    datasets::require_accepted(
        seen, benchmark.allow_overlap,
        fmt::format("{}: {} of its test molecules are training molecules", benchmark.test, seen.count),
        "Leave them out with drop-trained = true, name another test file");
  }
  if (test.test_id.empty() || test.test_ood.empty()) {
    throw InputError(benchmark.test + ": all its test molecules of one side are training molecules");
  }
  sample(test.test_id, benchmark.test_sample, data_seed + seed_offset(datasets::Side::test_id));
  sample(test.test_ood, benchmark.test_sample, data_seed + seed_offset(datasets::Side::test_ood));
  // The test sides are empty while shared molecules are counted, so that the original test molecules do not
  // count.
  drawn.test_id.clear();
  drawn.test_ood.clear();
  drawn.shared_molecules = datasets::find_shared_molecules(drawn, "").count + test.shared_molecules +
                           datasets::find_trained_molecules(test, trained, "").count;
  drawn.test_id = std::move(test.test_id);
  drawn.test_ood = std::move(test.test_ood);
  drawn.failed_test = std::move(test.failed);
}

}  // namespace

MatrixBenchmarks::MatrixBenchmarks(const experiment::Spec& spec, const fs::path& folder,
                                   const ComputeOptions& compute, pipeline::FailureLog& failed) {
  for (const auto& benchmark : spec.benchmarks) {
    try {
      std::string& file = files_[benchmark.name];
      file = benchmark.file;
      for (const std::string& read :
           {benchmark.file, benchmark.test, benchmark.recipe ? benchmark.recipe->molecules : std::string()}) {
        if (!read.empty()) {
          require_no_output(read, "the benchmark " + benchmark.name);
        }
      }
      if (benchmark.recipe) {
        SplitRequest recipe = *benchmark.recipe;
        recipe.threads = compute.threads;
        recipe.quiet = compute.quiet;
        file = make_from_recipe(recipe, benchmark.name, folder / "benchmarks");
      }
      add(spec, benchmark, compute, failed);
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& problem) {
      throw InputError(fmt::format("{}:{}: benchmark '{}': {}", spec.file, benchmark.line, benchmark.name,
                                   problem.what()));
    }
  }
}

void MatrixBenchmarks::add(const experiment::Spec& spec, const experiment::BenchmarkSpec& benchmark,
                           const ComputeOptions& compute, pipeline::FailureLog& failed) {
  const std::string& file = files_.at(benchmark.name);
  test_files_.emplace(benchmark.name, benchmark.test.empty() ? file : benchmark.test);
  std::string identity = hash_of_file(file);
  if (!benchmark.test.empty()) {
    identity =
        fmt::format("{} tested on {}{} sample {}", identity, hash_of_file(benchmark.test),
                    benchmark.drop_trained ? " without what was trained on" : "", benchmark.test_sample);
  }
  identities_.emplace(benchmark.name, std::move(identity));
  for (const auto data_seed : spec.data_seeds) {
    auto drawn = datasets::load_ood_benchmark(
        file, datasets::selection_of(draw_of(spec, benchmark.name, data_seed)), compute);
    if (!benchmark.test.empty()) {
      test_on_other(drawn, benchmark, data_seed, compute);
    }
    failed.append_all(std::exchange(drawn.failed, {}));
    failed.append_all(std::exchange(drawn.failed_test, {}));
    drawn_.emplace(std::pair(benchmark.name, data_seed), std::move(drawn));
  }
}

const datasets::OodBenchmark& MatrixBenchmarks::drawn(const std::string& benchmark,
                                                      std::uint64_t data_seed) const {
  return drawn_.at({benchmark, data_seed});
}

}  // namespace molgauge::verbs
