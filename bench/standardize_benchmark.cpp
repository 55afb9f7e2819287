// Measures the time for parsing a molecule, and for parsing and standardising it.
//
//   MOLGAUGE_BENCH_MOLECULES=hiv.csv bench_standardize          a .csv with a column smiles; every 20th row
//   MOLGAUGE_BENCH_EVERY=1 MOLGAUGE_BENCH_MOLECULES=... ...     every row

#include <cstdlib>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "molecules/chem/description.h"
#include "molecules/chem/perception.h"
#include "molecules/chem/standardize.h"
#include "molecules/files/molecule_reader.h"

namespace {

using namespace molgauge;

std::vector<chem::MoleculeRecord> read_molecules() {
  const char* const file = std::getenv("MOLGAUGE_BENCH_MOLECULES");
  if (file == nullptr) {
    return {};
  }
  const char* const every = std::getenv("MOLGAUGE_BENCH_EVERY");
  const std::size_t step = every == nullptr ? 20 : std::stoul(every);
  const auto reader = io::open_molecules(file, {});
  std::vector<chem::MoleculeRecord> records;
  for (std::size_t number = 0; auto row = reader->next(); ++number) {
    if (number % step == 0) {
      try {
        chem::describe(row->record);
        records.push_back(std::move(row->record));
      } catch (const chem::InvalidMolecule&) {
        continue;
      }
    }
  }
  return records;
}

template <typename Work>
void for_each_molecule(benchmark::State& state, const Work& work) {
  static const std::vector<chem::MoleculeRecord> records = read_molecules();
  if (records.empty()) {
    state.SkipWithError("MOLGAUGE_BENCH_MOLECULES names no file with molecules");
    return;
  }
  for (auto _ : state) {
    for (const chem::MoleculeRecord& record : records) {
      work(record);
    }
  }
  const auto count = static_cast<double>(records.size());
  state.counters["time_a_molecule"] =
      benchmark::Counter(count, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["molecules"] = count;
}

void Parse(benchmark::State& state) {
  const chem::Perception nothing{.graph = false};
  for_each_molecule(state, [&](const auto& record) { chem::perceive(record, nothing); });
}
BENCHMARK(Parse)->Unit(benchmark::kMillisecond);

/// Standardises records as before encoding, including parsing. Most records are not parsed, because their
/// text shows that they are already standardised. There is a single iteration, because later iterations would
/// find the parents in the cache.
void StandardizeRecord(benchmark::State& state) {
  for_each_molecule(state, [](const auto& record) {
    benchmark::DoNotOptimize(chem::standardized_record(record, Standardize::parent));
  });
}
BENCHMARK(StandardizeRecord)->Unit(benchmark::kMillisecond)->Iterations(1);

/// Describes molecules in the mode of the argument. As in `molgauge domain`, the parents are already in the
/// cache.
void Describe(benchmark::State& state) {
  const auto mode = static_cast<Standardize>(state.range(0));
  for_each_molecule(state, [mode](const auto& record) { chem::describe(record, mode); });
}
BENCHMARK(Describe)->Arg(static_cast<int>(Standardize::none))->Unit(benchmark::kMillisecond);
BENCHMARK(Describe)->Arg(static_cast<int>(Standardize::parent))->Unit(benchmark::kMillisecond);
BENCHMARK(Describe)
    ->Arg(static_cast<int>(Standardize::tautomer))
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
