// Measures the exact nearest-neighbour search of `molgauge domain`, and its comparison of environments.
//
//   bench_domain --benchmark_filter=Cosine
//       searches the neighbours of 2,000 queries among 100,000 x 512 numbers. The peer is the flat index of
//       faiss.
//   MOLGAUGE_BENCH_DOMAIN=FOLDER bench_domain --benchmark_filter=ScoreCandidates
//       scores candidates whose features and environments are in memory. FOLDER has training.smi,
//       training.npy, candidates.smi and candidates.npy.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include <benchmark/benchmark.h>

#include "base/core/threads/worker_group.h"
#include "base/io/tensors/npy.h"
#include "molecules/chem/description.h"
#include "molecules/judging/calibrated_domain.h"
#include "molecules/judging/cosine_search.h"
#include "molecules/judging/environment_index.h"

namespace {

using namespace molgauge;

std::vector<float> normal_rows(std::size_t rows, std::size_t width, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> noise;
  std::vector<float> numbers(rows * width);
  for (float& number : numbers) {
    number = noise(random);
  }
  return numbers;
}

/// The argument is the number of threads.
void CosineSearch(benchmark::State& state) {
  constexpr std::size_t kPoints = 100000, kQueries = 2000, kWidth = 512, kAtOnce = 250;
  const domain::CosineSearch search(normal_rows(kPoints, kWidth, 1), kWidth);
  const std::vector<float> queries = domain::unit_rows(normal_rows(kQueries, kWidth, 2), kWidth);
  for (auto _ : state) {
    parallel_for(kQueries / kAtOnce, static_cast<std::size_t>(state.range(0)), [&](std::size_t chunk) {
      float least = 1;
      search.for_all_distances(std::span(queries).subspan(chunk * kAtOnce * kWidth, kAtOnce * kWidth),
                               [&](std::size_t, std::size_t, std::span<const float> distances) {
                                 least =
                                     std::min(least, *std::min_element(distances.begin(), distances.end()));
                               });
      benchmark::DoNotOptimize(least);
    });
  }
}
BENCHMARK(CosineSearch)
    ->Arg(1)
    ->Arg(2)
    ->Unit(benchmark::kMillisecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime();

/// Each molecule has 50 of 30,000 environments. Common environments occur much more often than rare ones.
void Environments(benchmark::State& state) {
  constexpr std::size_t kMolecules = 100000;
  std::mt19937 random(3);
  std::exponential_distribution<double> rank(1.0 / 1500);
  domain::EnvironmentLists molecules;
  for (std::size_t i = 0; i < kMolecules; ++i) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> own;
    for (std::uint32_t j = 0; j < 50; ++j) {
      own.emplace_back(static_cast<std::uint32_t>(rank(random)) % 30000 * 64 + j, 1);
    }
    std::sort(own.begin(), own.end());
    molecules.append(own);
  }
  const domain::EnvironmentIndex index(molecules, 5);
  const domain::Exclusion nothing;
  std::vector<domain::EnvironmentQuery> queries;
  for (std::size_t i = 0; i < 100; ++i) {
    queries.push_back({molecules.of(i), false, std::span(&nothing, 1)});
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(index.compare(queries));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(queries.size()));
}
BENCHMARK(Environments)->Unit(benchmark::kMicrosecond);

/// FOLDER/name.smi has one SMILES per line, and FOLDER/name.npy has the feature row of each.
domain::Molecules molecules_of(const std::filesystem::path& folder, const std::string& name) {
  domain::Molecules molecules;
  const io::TensorData rows = io::read_npy(folder / (name + ".npy"));
  molecules.width = static_cast<std::size_t>(rows.shape.at(1));
  molecules.features = rows.to_float32();
  std::ifstream file(folder / (name + ".smi"));
  for (std::string line; std::getline(file, line);) {
    const chem::Description description = chem::describe({.text = line, .file = name});
    molecules.environments.append(description.environments);
    molecules.properties.push_back(domain::properties_of(description));
  }
  return molecules;
}

/// Fits to the training molecules and scores the candidates. The argument is the number of threads.
void ScoreCandidates(benchmark::State& state) {
  const char* const folder = std::getenv("MOLGAUGE_BENCH_DOMAIN");
  if (folder == nullptr) {
    state.SkipWithError("MOLGAUGE_BENCH_DOMAIN names no folder");
    return;
  }
  const domain::Molecules training = molecules_of(folder, "training"),
                          candidates = molecules_of(folder, "candidates");
  for (auto _ : state) {
    const domain::CalibratedDomain fitted(training, std::vector<std::string>(training.size()), {},
                                          {.threads = static_cast<std::size_t>(state.range(0))});
    benchmark::DoNotOptimize(fitted.score(candidates));
  }
}
BENCHMARK(ScoreCandidates)->Arg(1)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
