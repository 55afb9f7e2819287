// Measures the figures for the lower bound of the time of chemprop models in docs/results/properties.md. They
// are the times for featurising alone, for the plan of a batch alone, and for the network alone. The model is
// the file $MOLGAUGE_BENCH_MODEL, and the molecules are the SMILES lines of the file
// $MOLGAUGE_BENCH_MOLECULES. floor_multiply_add measures the peak arithmetic rate of a core.

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/memory/measure/host_heap.h"
#include "molecules/chem/perception.h"
#include "molecules/encoders/chemprop/checkpoint.h"
#include "molecules/encoders/chemprop/chemprop_encoder.h"
#include "molecules/encoders/chemprop/featuriser.h"
#include "molecules/encoders/chemprop/network.h"
#include "molecules/encoders/chemprop/plan.h"

namespace molgauge::encoders::chemprop {
namespace {

std::string variable(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? "" : text;
}

struct Workload {
  Model model;
  std::vector<chem::Molecule> molecules;
  std::vector<std::unique_ptr<Inputs>> inputs;
  std::vector<std::vector<const Inputs*>> batches;
};

/// Reads the model and the molecules. Makes batches of at most kFullSpeedAtoms atoms, the fastest size.
std::unique_ptr<Workload> read_workload(benchmark::State& state) {
  const std::string file = variable("MOLGAUGE_BENCH_MODEL");
  const std::string name = variable("MOLGAUGE_BENCH_MOLECULES");
  std::ifstream lines(name);
  if (file.empty() || !lines) {
    state.SkipWithError("set MOLGAUGE_BENCH_MODEL and MOLGAUGE_BENCH_MOLECULES");
    return nullptr;
  }
  auto work = std::make_unique<Workload>();
  work->model = read_model(file);
  chem::Perception wanted;
  wanted.graph = false;
  wanted.details = true;
  std::size_t atoms = ChempropEncoder::kFullSpeedAtoms;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t row = work->molecules.size();
    work->molecules.push_back(
        chem::perceive({.text = line, .row = row, .line = row + 1, .file = name}, wanted));
    work->inputs.push_back(featurise(work->molecules.back(), work->model.form.features));
    const std::size_t size = work->inputs.back()->atoms.size();
    if (atoms + size > ChempropEncoder::kFullSpeedAtoms) {
      work->batches.emplace_back();
      atoms = 0;
    }
    work->batches.back().push_back(work->inputs.back().get());
    atoms += size;
  }
  return work;
}

double products_of(std::int64_t rows, const ops::Linear& layer) {
  return 2.0 * static_cast<double>(rows) * static_cast<double>(layer.weight.count());
}

/// Multiplications and additions in the matrix products of a batch. Equal states count as one, because a
/// batch computes them only once.
double flop_of(const Plan& plan, const Model& model) {
  double flop = products_of(plan.initial.size(0), model.input);
  for (const Step& step : plan.steps) {
    flop += products_of(step.sums.count(), model.message);
  }
  flop += products_of(plan.readout.sums.count(), model.output);
  for (const ops::Linear& layer : model.layers) {
    flop += products_of(plan.molecules.count(), layer);
  }
  return flop;
}

/// Multiplications and additions if every state were computed, including equal states.
double flop_of_all_states(const Workload& work) {
  double flop = 0;
  for (const auto& molecule : work.inputs) {
    const auto atoms = static_cast<std::int64_t>(molecule->atoms.size());
    const auto bonds = static_cast<std::int64_t>(2 * molecule->bonds.size());
    flop += products_of(bonds, work.model.input) + products_of(atoms, work.model.output) +
            static_cast<double>(work.model.form.depth - 1) * products_of(bonds, work.model.message);
    for (const ops::Linear& layer : work.model.layers) {
      flop += products_of(1, layer);
    }
  }
  return flop;
}

void chemprop_featurise(benchmark::State& state) {
  const auto work = read_workload(state);
  if (work == nullptr) {
    return;
  }
  for (auto _ : state) {
    for (const chem::Molecule& molecule : work->molecules) {
      benchmark::DoNotOptimize(featurise(molecule, work->model.form.features));
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(work->molecules.size()));
}

void chemprop_plan(benchmark::State& state) {
  const auto work = read_workload(state);
  if (work == nullptr) {
    return;
  }
  memory::tune_heap(1);  // every verb does this too
  for (auto _ : state) {
    for (const auto& batch : work->batches) {
      benchmark::DoNotOptimize(make_plan(batch, work->model.form));
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(work->molecules.size()));
}

void chemprop_network(benchmark::State& state) {
  const auto work = read_workload(state);
  if (work == nullptr) {
    return;
  }
  memory::tune_heap(1);
  const Network network(work->model);
  std::vector<Plan> plans;
  double flop = 0;
  for (const auto& batch : work->batches) {
    plans.push_back(make_plan(batch, work->model.form));
    flop += flop_of(plans.back(), work->model);
  }
  for (auto _ : state) {
    for (const Plan& plan : plans) {
      benchmark::DoNotOptimize(network.predictions(network.fingerprints(plan)));
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(work->molecules.size()));
  const auto molecules = static_cast<double>(work->molecules.size());
  state.counters["flop_per_molecule"] = flop / molecules;
  state.counters["flop_of_all_states_per_molecule"] = flop_of_all_states(*work) / molecules;
  state.counters["flop_rate"] = benchmark::Counter(flop, benchmark::Counter::kIsIterationInvariantRate);
}

BENCHMARK(chemprop_featurise)->Unit(benchmark::kMillisecond);
BENCHMARK(chemprop_plan)->Unit(benchmark::kMillisecond);
BENCHMARK(chemprop_network)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace molgauge::encoders::chemprop
