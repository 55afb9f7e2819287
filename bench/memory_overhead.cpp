// Measures the cost of memory measurements and traces while MiniMol encodes batches of 72 molecules. There
// are three variants: plain, with phases and a guarded budget, and with phases, a guarded budget and an
// allocation trace. The variants take turns in one run. Prints the processor time of each variant and the
// ratios.
//
//   bench_memory_overhead [ROUNDS]

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "base/memory/measure/host_heap.h"
#include "base/memory/measure/host_memory.h"
#include "base/memory/measure/phase.h"
#include "base/memory/measure/resident_guard.h"
#include "base/memory/trace/allocation_trace.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "base/numerics/torch/operator_threads.h"
#include "made_up_weights.h"
#include "molecules/encoders/minimol/minimol_encoder.h"

namespace molgauge {
namespace {

constexpr std::size_t kAtoms = 28, kMolecules = 72, kBatchesARound = 4;

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

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

class Encoding {
 public:
  void plain() {
    for (std::size_t i = 0; i < kBatchesARound; ++i) {
      encoder_.encode(batch_, rows_);
    }
  }

  /// Encodes a round as one phase. Each batch is one step. The limit of the guard (16 GiB) is never reached.
  void probed(memory::PhaseObserver* observer = nullptr) {
    memory::ResidentGuard guard(meter_, std::uint64_t{1} << 34, 0, memory::return_freed_memory,
                                memory::resident_bytes);
    meter_.guard(&guard);
    recorder_.observe(observer);
    {
      const auto phase = recorder_.begin("encoding");
      for (std::size_t i = 0; i < kBatchesARound; ++i) {
        const auto step = recorder_.begin_step("batch");
        encoder_.encode(batch_, rows_);
      }
    }
    meter_.guard(nullptr);
  }

  void traced(allocator::AllocationTrace& trace) {
    meter_.observe(&trace);
    probed(&trace);
    meter_.observe(nullptr);
  }

 private:
  memory::AllocationMeter& meter_ = torch::cpu_tensor_memory();
  const encoders::minimol::CpuMinimolEncoder encoder_{made_up_weights(), ""};
  const encoders::minimol::Inputs molecule_ = made_up_molecule();
  const std::vector<const encoders::FeaturisedMolecule*> batch_ =
      std::vector<const encoders::FeaturisedMolecule*>(kMolecules, &molecule_);
  std::vector<float> rows_ = std::vector<float>(kMolecules * 512);
  memory::PhaseRecorder recorder_{nullptr, &meter_};
};

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

void compare(std::size_t rounds) {
  const auto file = std::filesystem::temp_directory_path() / "bench_memory_overhead.trace";
  allocator::AllocationTrace trace(file, {});
  Encoding encoding;
  const std::vector<std::function<void()>> strategies = {
      [&] { encoding.plain(); }, [&] { encoding.probed(); }, [&] { encoding.traced(trace); }};
  encoding.plain();
  std::vector<std::vector<double>> seconds(strategies.size()), ratios(strategies.size());
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < strategies.size(); ++i) {
      const std::size_t strategy = (round + i) % strategies.size();  // in each round, another variant is the
                                                                     // first
      const double before = processor_seconds();
      strategies[strategy]();
      seconds[strategy].push_back(processor_seconds() - before);
    }
    for (std::size_t strategy = 0; strategy < strategies.size(); ++strategy) {
      ratios[strategy].push_back(seconds[strategy].back() / seconds[0].back());
    }
  }
  constexpr const char* names[] = {"plain", "probes", "probes and trace"};
  for (std::size_t strategy = 0; strategy < strategies.size(); ++strategy) {
    fmt::print("{:18} {:8.2f} ms a round, {:+.2f} % (median of {} rounds)\n", names[strategy],
               1e3 * median(seconds[strategy]), 100 * (median(ratios[strategy]) - 1), rounds);
  }
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace molgauge

int main(int argc, char** argv) {
  const molgauge::torch::OperatorThreads one(1);
  molgauge::memory::tune_heap(1);
  molgauge::torch::cpu_tensor_memory();
  molgauge::compare(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 60);
}
