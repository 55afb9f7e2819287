#include <vector>

#include <benchmark/benchmark.h>

#include "encoders/minimol/minimol_encoder.h"
#include "made_up_parameters.h"
#include "ops/operator_threads.h"

namespace headroom {
namespace {

/// Atoms of a typical drug molecule.
constexpr std::size_t kAtoms = 28;

/// A chain of atoms.
encoders::minimol::Inputs made_up_molecule() {
  using namespace encoders::minimol;
  Inputs molecule;
  molecule.atoms = kAtoms;
  molecule.feat.assign(kAtoms * kAtomFeatures, 0.5F);
  molecule.laplacian_eigvec.assign(kAtoms * kEigenpairs, 0.25F);
  molecule.laplacian_eigval.assign(kAtoms * kEigenpairs, 0.75F);
  molecule.rw_return_probs.assign(kAtoms * kWalkSteps, 0.125F);
  molecule.edge_feat.assign(2 * (kAtoms - 1) * kBondFeatures, 1.0F);
  for (std::int64_t atom = 0; atom + 1 < static_cast<std::int64_t>(kAtoms); ++atom) {
    molecule.edge_source.insert(molecule.edge_source.end(), {atom, atom + 1});
    molecule.edge_target.insert(molecule.edge_target.end(), {atom + 1, atom});
  }
  return molecule;
}

/// MinimolEncoder::encode on batches of equal molecules; the argument is the molecules in a batch. Weights
/// are made up: their values do not change the time. One operator thread a caller.
void encode_minimol(benchmark::State& state) {
  static const encoders::minimol::MinimolEncoder encoder(made_up_parameters(), c10::kCPU, "");
  const encoders::minimol::Inputs molecule = made_up_molecule();
  const std::vector<const encoders::FeaturisedMolecule*> batch(static_cast<std::size_t>(state.range(0)),
                                                               &molecule);
  std::vector<float> rows(batch.size() * encoder.width());
  for (auto _ : state) {
    encoder.encode(batch, rows);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

BENCHMARK(encode_minimol)
    ->Arg(1)
    ->Arg(8)
    ->Arg(36)
    ->Arg(72)
    ->Arg(144)
    ->Arg(300)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(encode_minimol)->Arg(72)->Threads(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace headroom

/// Operators run on one thread, so that the benchmark's own threads are all there are.
int main(int argc, char** argv) {
  const headroom::ops::OperatorThreads one(1);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
