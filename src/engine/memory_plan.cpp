// `headroom memory plan`.

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "chem/perception.h"
#include "core/bytes.h"
#include "core/error.h"
#include "core/worker_group.h"
#include "datasets/find_benchmark.h"
#include "encoders/encoding_step.h"
#include "encoders/registry.h"
#include "engine/benchmark_molecules.h"
#include "engine/encoding_plan.h"
#include "engine/molecule_input.h"
#include "engine/verbs.h"
#include "memory/host_memory.h"
#include "memory/machine_memory.h"
#include "memory/planner.h"
#include "ood/head_training_step.h"
#include "ood/run_config.h"
#include "ops/cpu_tensor_memory.h"
#include "ops/operator_threads.h"

namespace headroom::verbs {
namespace {

/// The budget of the process, shared out.
class Shares {
 public:
  explicit Shares(const PlanMemoryRequest& request)
      : process_(request.budget_bytes.value_or(memory::machine_memory().available)),
        is_given_(request.budget_bytes.has_value()) {}

  /// For tensors, once libraries, data and weights are loaded.
  std::uint64_t tensor_bytes() const {
    const std::uint64_t taken = other_bytes();
    return process_ - std::min(process_, taken);
  }

  std::string note() const {
    return fmt::format("{} for the process{}, of which libraries and data take {}", format_bytes(process_),
                       is_given_ ? "" : " (what is free now)", format_bytes(other_bytes()));
  }

 private:
  /// What is resident and no tensor.
  static std::uint64_t other_bytes() {
    const std::uint64_t resident = memory::resident_bytes();
    return resident - std::min(resident, ops::cpu_tensor_memory().allocated_bytes());
  }

  std::uint64_t process_;
  bool is_given_;
};

std::unique_ptr<encoders::Encoder> load_encoder(const std::string& name, const std::string& weights) {
  ops::cpu_tensor_memory();  // before the parameters, to count them
  encoders::EncoderSettings settings;
  settings.weights = weights;
  settings.device = "cpu";
  return encoders::make_encoder(name, settings);
}

/// Sizes of those records that are molecules.
std::vector<memory::ItemSize> sizes_of(const std::vector<chem::MoleculeRecord>& records,
                                       const encoders::Encoder& encoder, std::size_t threads) {
  std::vector<memory::ItemSize> sizes(records.size(), memory::ItemSize{.atoms = 0});
  parallel_for(records.size(), threads, [&](std::size_t i) {
    try {
      const auto featurised = encoder.featurise(chem::perceive(records[i], encoder.perception()));
      sizes[i] = encoders::size_of(*featurised);
    } catch (const InputError&) {
      sizes[i].atoms = 0;  // encoding will report it
    }
  });
  std::erase_if(sizes, [](const memory::ItemSize& size) { return size.atoms == 0; });
  if (sizes.empty()) {
    throw InputError("the input holds no molecules to plan for");
  }
  return sizes;
}

MemoryPlan plan_encoding_of(const std::vector<chem::MoleculeRecord>& records,
                            const encoders::Encoder& encoder, const Shares& shares, std::size_t threads) {
  const std::vector<memory::ItemSize> sizes = sizes_of(records, encoder, threads);
  const ops::OperatorThreads one(1);  // as the pipeline's workers have it
  const std::uint64_t outside = ops::cpu_tensor_memory().allocated_bytes() - encoder.parameter_bytes();
  MemoryPlan plan = plan_encoding(encoder, {shares.tensor_bytes(), outside, threads}, sizes);
  plan.notes.push_back(shares.note());
  plan.notes.push_back(fmt::format("{} workers side by side: the budget above is one worker's", threads));
  if (sizes.size() < records.size()) {
    plan.notes.push_back(
        fmt::format("{} of {} records are no molecules", records.size() - sizes.size(), records.size()));
  }
  return plan;
}

std::vector<chem::MoleculeRecord> all_records(const pipeline::MoleculeSource& source) {
  std::vector<chem::MoleculeRecord> records;
  while (auto record = source()) {
    records.push_back(std::move(*record));
  }
  return records;
}

void append(std::vector<chem::MoleculeRecord>& records,
            const std::vector<datasets::BenchmarkMolecule>& molecules) {
  for (const auto& molecule : molecules) {
    chem::MoleculeRecord record;
    record.text = molecule.smiles;
    records.push_back(std::move(record));
  }
}

MemoryPlan plan_training(const TrainRequest& request, const datasets::OodBenchmark& benchmark,
                         std::size_t width, const Shares& shares, std::size_t threads) {
  const ops::OperatorThreads operator_threads(static_cast<int>(threads));
  const std::uint64_t outside = ops::cpu_tensor_memory().allocated_bytes();
  const std::size_t train = benchmark.train_id.size() + benchmark.train_ood.size();
  const std::size_t validation = benchmark.val_id.size() + benchmark.val_ood.size();
  // The trainer has the training rows of both sides in one tensor besides.
  const std::uint64_t data_bytes = (2 * train + validation) * width * sizeof(float);
  ood::HeadTrainingStep step(static_cast<std::int64_t>(width), ood::training_options(request), data_bytes,
                             threads);
  memory::PlanningRequest planning;
  planning.items.resize(std::min(benchmark.train_id.size(), benchmark.train_ood.size()));
  planning.items_name = "pairs of molecules";
  planning.effective_batch = std::min(request.batch_size, planning.items.size());
  planning.budget_bytes = shares.tensor_bytes();
  planning.outside_bytes = outside;
  MemoryPlan plan = memory::plan_steps(step, ops::cpu_tensor_memory(), planning).report;
  plan.notes.push_back(shares.note());
  return plan;
}

}  // namespace

std::vector<MemoryPlan> plan_memory(const PlanMemoryRequest& request) {
  const Shares shares(request);
  const std::size_t threads = request.threads > 0 ? request.threads : available_processors();
  std::vector<MemoryPlan> plans;
  if (const auto* encode = std::get_if<EncodeRequest>(&request.work)) {
    const auto encoder = load_encoder(encode->encoder, encode->weights);
    const auto records = all_records(molecules_of(encode->molecules, encode->smiles_column));
    plans.push_back(plan_encoding_of(records, *encoder, shares, threads));
  } else {
    TrainRequest train = std::get<TrainRequest>(request.work);
    train.benchmark = datasets::find_benchmark(train.benchmark, train.data_path);
    train.compute.quiet = true;
    const auto benchmark = benchmark_molecules(train, train.compute);
    const auto encoder = load_encoder(train.encoder, train.weights);
    std::vector<chem::MoleculeRecord> records;
    for (const auto* part :
         {&benchmark.train_id, &benchmark.train_ood, &benchmark.val_id, &benchmark.val_ood}) {
      append(records, *part);
    }
    plans.push_back(plan_encoding_of(records, *encoder, shares, threads));
    plans.push_back(plan_training(train, benchmark, encoder->width(), shares, threads));
  }
  for (MemoryPlan& plan : plans) {
    memory::print_plan(plan);
  }
  return plans;
}

}  // namespace headroom::verbs
