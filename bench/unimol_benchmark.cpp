// Measures the network of Uni-Mol alone, with random weights of the published sizes. The molecules come from
// the .sdf file in $MOLGAUGE_BENCH_CONFORMERS, which `molgauge conformers` wrote. floor_multiply_add in
// encoders_floor_benchmark.cpp measures the time of a core for the products alone.

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/memory/measure/host_heap.h"
#include "conformer_file.h"
#include "molecules/encoders/unimol/random_weights.h"
#include "molecules/encoders/unimol/unimol_encoder.h"

namespace molgauge {
namespace {

/// Multiplications and additions in the matrix products for a molecule of this many tokens. The features come
/// from the first token, so only the products that it needs are counted in the last layer.
double flop_of(double tokens) {
  constexpr double kLayers = 15, kWidth = 512, kHidden = 2048, kHeads = 64, kKernels = 128;
  const double pairs = tokens * tokens;
  const double after = kWidth * kWidth + 2 * kWidth * kHidden;
  const double products = kLayers * tokens * 3 * kWidth * kWidth + ((kLayers - 1) * tokens + 1) * after;
  const double attention = 2 * kWidth * ((kLayers - 1) * pairs + tokens);
  return 2 * (products + attention + pairs * kKernels * (kKernels + kHeads));
}

void encode(benchmark::State& state, chem::Coordinates atoms, ops::Precision precision) {
  const encoders::unimol::UnimolEncoder encoder(encoders::unimol::random_tensors({}, 1),
                                                {.weights_sha256 = "random", .atoms = atoms},
                                                {.precision = precision});
  const bench::Molecules molecules = bench::read_conformers(std::getenv("MOLGAUGE_BENCH_CONFORMERS"), atoms);
  if (molecules.empty()) {
    state.SkipWithError("MOLGAUGE_BENCH_CONFORMERS names no molecules");
    return;
  }
  const auto batch_tokens = static_cast<std::size_t>(state.range(0));
  std::vector<std::vector<const encoders::FeaturisedMolecule*>> batches(1);
  std::size_t tokens = 0;
  double flop = 0;
  for (const auto& molecule : molecules) {
    if (tokens + molecule->tokens.size() > batch_tokens && !batches.back().empty()) {
      batches.emplace_back();
      tokens = 0;
    }
    batches.back().push_back(molecule.get());
    tokens += molecule->tokens.size();
    flop += flop_of(static_cast<double>(molecule->tokens.size()));
  }
  memory::tune_heap(1);  // every verb does this too
  std::vector<float> rows(molecules.size() * encoder.width());
  for (auto _ : state) {
    for (const auto& batch : batches) {
      encoder.encode(batch, std::span(rows).first(batch.size() * encoder.width()));
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(molecules.size()));
  state.counters["flop_per_molecule"] = flop / static_cast<double>(molecules.size());
  state.counters["flop"] =
      benchmark::Counter(flop * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

using chem::Coordinates, ops::Precision;
BENCHMARK_CAPTURE(encode, unimol_fp32, Coordinates::heavy, Precision::fp32)
    ->Arg(2048)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(encode, unimol_bf16, Coordinates::heavy, Precision::bf16)
    ->Arg(2048)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(encode, unimol_int8, Coordinates::heavy, Precision::int8)
    ->Arg(2048)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(encode, unimol_all_atoms_fp32, Coordinates::all, Precision::fp32)
    ->Arg(2048)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace molgauge
