#include <vector>

#include <benchmark/benchmark.h>

#include "made_up_weights.h"
#include "molecules/chem/molecule.h"
#include "molecules/encoders/minimol/featuriser.h"
#include "molecules/encoders/minimol/minimol_encoder.h"

namespace molgauge {
namespace {

/// Number of atoms of a typical drug molecule.
constexpr std::size_t kAtoms = 28;

/// A molecule that is a chain of atoms.
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

/// CpuMinimolEncoder::encode on batches of equal molecules. The argument is the number of molecules in a
/// batch. The weights are synthetic, because their values do not change the time.
template <ops::Precision kPrecision>
void encode_minimol(benchmark::State& state) {
  static const encoders::minimol::CpuMinimolEncoder encoder(made_up_weights(), "", kPrecision);
  const encoders::minimol::Inputs molecule = made_up_molecule();
  const std::vector<const encoders::FeaturisedMolecule*> batch(static_cast<std::size_t>(state.range(0)),
                                                               &molecule);
  std::vector<float> rows(batch.size() * encoder.width());
  for (auto _ : state) {
    encoder.encode(batch, rows);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

using ops::Precision;

BENCHMARK_TEMPLATE(encode_minimol, Precision::fp32)
    ->Name("encode_minimol")
    ->Arg(1)
    ->Arg(8)
    ->Arg(36)
    ->Arg(72)
    ->Arg(144)
    ->Arg(300)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(encode_minimol, Precision::fp32)
    ->Name("encode_minimol")
    ->Arg(72)
    ->Threads(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(encode_minimol, Precision::bf16)
    ->Name("encode_minimol_bf16")
    ->Arg(72)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(encode_minimol, Precision::int8)
    ->Name("encode_minimol_int8")
    ->Arg(72)
    ->Unit(benchmark::kMillisecond);

/// A polypeptide of glycine. Each residue has three atoms in the chain, and an oxygen next to the chain.
chem::Molecule made_up_peptide(std::uint32_t atoms) {
  chem::Molecule molecule;
  for (std::uint32_t atom = 0; atom < atoms; ++atom) {
    constexpr std::uint8_t kElements[] = {7, 6, 6, 8};
    molecule.atoms.push_back({.atomic_number = kElements[atom % 4], .total_degree = 3, .total_valence = 4});
    if (atom > 0) {
      molecule.bonds.push_back({.begin = atom % 4 == 0 ? atom - 2 : atom - 1, .end = atom});
    }
  }
  return molecule;
}

/// Makes the inputs of the network for one molecule of this many atoms. Eigenvectors and random walks take
/// most of the time.
void featurise_minimol(benchmark::State& state) {
  const chem::Molecule molecule = made_up_peptide(static_cast<std::uint32_t>(state.range(0)));
  for (auto _ : state) {
    benchmark::DoNotOptimize(encoders::minimol::featurise(molecule));
  }
}

BENCHMARK(featurise_minimol)->Arg(28)->Arg(200)->Arg(2000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace molgauge

BENCHMARK_MAIN();
