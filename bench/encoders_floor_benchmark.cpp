// Measures the figures for the lower bound in bench/peers/encoders.py. They are the peak arithmetic rate of a
// core, the time for featurising alone, and the time for the network alone. The molecules are the SMILES
// lines of the file in $MOLGAUGE_BENCH_MOLECULES.

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/memory/measure/host_heap.h"
#include "core_peak.h"
#include "made_up_weights.h"
#include "molecules/chem/perception.h"
#include "molecules/encoders/minimol/minimol_encoder.h"

namespace molgauge {
namespace {

constexpr std::size_t kBatchAtoms = 2048;

std::vector<chem::MoleculeRecord> records() {
  std::vector<chem::MoleculeRecord> records;
  const char* const named = std::getenv("MOLGAUGE_BENCH_MOLECULES");
  std::ifstream file(named == nullptr ? "" : named);
  for (std::string line; std::getline(file, line);) {
    records.push_back({.text = line, .row = records.size(), .line = records.size() + 1, .file = named});
  }
  return records;
}

/// Multiplications and additions in the matrix products for the atoms and the virtual nodes of a molecule.
/// The products for edges are negligible, because a batch computes each kind of edge once.
double flop_of(std::size_t atoms) {
  constexpr double kHidden = 336, kFirst = 128, kLast = 512, kLayers = 16;
  constexpr double kPairs = 8, kPosition = 32, kPositionHidden = 64, kWalk = 16, kAtom = 85,
                   kAtomHidden = 256;
  const double positions = kPairs * (2 + kPositionHidden) * kPositionHidden +
                           kPositionHidden * (kPositionHidden + kPosition) +
                           kPositionHidden * (kWalk + kPosition);
  const double input = (kPosition + kAtom) * kAtomHidden + kAtomHidden * kFirst;
  const double layers = kFirst * kFirst + kFirst * kHidden + (kLayers - 2) * 2 * kHidden * kHidden +
                        kHidden * kHidden + kHidden * kLast;
  const double virtual_nodes = (kLayers - 1) * 2 * kHidden * kHidden;
  return 2 * (static_cast<double>(atoms) * (positions + input + layers) + virtual_nodes);
}

using Featurised = std::vector<std::unique_ptr<encoders::FeaturisedMolecule>>;

Featurised featurise_all(const encoders::Encoder& encoder, const std::vector<chem::MoleculeRecord>& all) {
  Featurised featurised;
  for (const auto& record : all) {
    featurised.push_back(encoder.featurise(chem::perceive(record, encoder.perception())));
  }
  return featurised;
}

void floor_multiply_add(benchmark::State& state) {
  constexpr std::int64_t kRounds = 1'000'000;
  for (auto _ : state) {
    benchmark::DoNotOptimize(multiply_and_add(kRounds));
  }
  state.SetItemsProcessed(state.iterations() * kRounds * operations_in_a_round());
}

void floor_featurise(benchmark::State& state) {
  const encoders::minimol::CpuMinimolEncoder encoder(made_up_weights(), "");
  const auto all = records();
  if (all.empty()) {
    state.SkipWithError("MOLGAUGE_BENCH_MOLECULES names no molecules");
    return;
  }
  for (auto _ : state) {
    benchmark::DoNotOptimize(featurise_all(encoder, all));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(all.size()));
}

void floor_network(benchmark::State& state) {
  const encoders::minimol::CpuMinimolEncoder encoder(made_up_weights(), "");
  const auto all = records();
  if (all.empty()) {
    state.SkipWithError("MOLGAUGE_BENCH_MOLECULES names no molecules");
    return;
  }
  const Featurised featurised = featurise_all(encoder, all);
  std::vector<std::vector<const encoders::FeaturisedMolecule*>> batches(1);
  std::size_t atoms = 0;
  double flop = 0;
  for (const auto& molecule : featurised) {
    if (atoms + molecule->size().tokens > kBatchAtoms) {
      batches.emplace_back();
      atoms = 0;
    }
    batches.back().push_back(molecule.get());
    atoms += molecule->size().tokens;
    flop += flop_of(molecule->size().tokens);
  }
  memory::tune_heap(1);  // every verb does this too
  std::vector<float> rows(featurised.size() * encoder.width());
  for (auto _ : state) {
    for (const auto& batch : batches) {
      encoder.encode(batch, std::span(rows).first(batch.size() * encoder.width()));
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(featurised.size()));
  state.counters["flop_per_molecule"] = flop / static_cast<double>(featurised.size());
}

BENCHMARK(floor_multiply_add)->Unit(benchmark::kMillisecond);
BENCHMARK(floor_featurise)->Unit(benchmark::kMillisecond);
BENCHMARK(floor_network)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace molgauge
