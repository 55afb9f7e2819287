#include "molecules/verbs/experiment/matrix_tuning.h"

#include <iterator>
#include <set>
#include <utility>

#include "base/core/session/log.h"
#include "base/core/text/bytes.h"
#include "base/numerics/torch/device.h"
#include "base/runtime/device_choice.h"
#include "molecules/encoding/session/encoding_phase.h"
#include "molecules/encoding/session/output_requirements.h"
#include "molecules/ood/run/run_config.h"
#include "molecules/verbs/experiment/matrix_requests.h"
#include "molecules/verbs/train/frozen_pass.h"

namespace molgauge::verbs {
namespace {

using datasets::Side;

/// Returns the estimated sizes of the distinct molecules of several benchmarks.
session::MoleculeList list_distinct(const std::vector<const datasets::OodBenchmark*>& benchmarks) {
  std::set<std::string> texts;
  for (const datasets::OodBenchmark* const benchmark : benchmarks) {
    for (const Side side : datasets::kSides) {
      for (const datasets::BenchmarkMolecule& molecule : benchmark->of(side)) {
        texts.insert(molecule.smiles);
      }
    }
  }
  std::vector<chem::MoleculeRecord> records;
  for (const std::string& text : texts) {
    records.emplace_back().text = text;
  }
  return session::list_molecules(records);
}

}  // namespace

MatrixTuning::MatrixTuning(const experiment::Spec& spec, const MatrixBenchmarks& benchmarks,
                           session::EncodingSettings settings, runtime::BudgetScope& memory,
                           std::filesystem::path folder)
    : spec_(spec),
      benchmarks_(benchmarks),
      settings_(std::move(settings)),
      memory_(memory),
      folder_(std::move(folder)) {}

MatrixTuning::GroupName MatrixTuning::group_name(const matrix::Cell& cell) const {
  return {cell.encoder, train_request(spec_, cell).freeze_layers};
}

void MatrixTuning::declare_requirement(const std::vector<matrix::Cell>& cells) {
  for (const matrix::Cell& cell : cells) {
    auto [entry, is_new] = groups_.try_emplace(group_name(cell));
    Group& group = entry->second;
    if (is_new) {
      group.request = train_request(spec_, cell);
      group.request.store = settings_.store;
      group.request.weights = settings_.weights;
      group.request.placement = settings_.placement;
      group.request.compute = settings_.compute;
      session::require_expected_weights(encoding_settings(group.request));
      group.parts = load_tuning_parts(group.request, ood::training_options(group.request));
    }
    group.places.try_emplace(place_name(cell));
  }
  for (auto& [name, group] : groups_) {
    estimate(group);
    memory_.declare_requirement(session::host_need("the frozen layers of " + name.first, group.frozen_bytes));
  }
}

void MatrixTuning::estimate(Group& group) const {
  std::vector<const datasets::OodBenchmark*> drawn;
  for (auto& [name, place] : group.places) {
    drawn.push_back(&benchmarks_.drawn(name.first, name.second));
    place.sizes = estimated_sizes(list_distinct({drawn.back()}), *group.parts.frozen);
  }
  const session::MoleculeList all = list_distinct(drawn);
  group.kept_bytes = bytes_to_keep(group.parts, estimated_sizes(all, *group.parts.frozen), all.records);
  group.frozen_bytes = least_bytes_of_frozen(*group.parts.frozen, group.request, all);
}

void MatrixTuning::keep(pipeline::FailureLog& failed) {
  for (auto& [name, group] : groups_) {
    keep(group, failed);
  }
}

void MatrixTuning::keep(Group& group, pipeline::FailureLog& failed) {
  // The outputs and the frozen layers may use half of the memory. The runs need the other half.
  const std::uint64_t room = memory_.room().host;
  group.is_on_disk = group.kept_bytes + group.frozen_bytes > room / 2;
  if (*group.is_on_disk) {
    log_info("the output of the frozen layers, about {}, is kept in a file in the folder of the matrix",
             format_bytes(group.kept_bytes));
  }
  group.parts.keep_in(*group.is_on_disk ? std::make_unique<encoders::FrozenActivations>(folder_)
                                        : std::make_unique<encoders::FrozenActivations>());
  FrozenPass frozen(group.request, std::move(group.parts.frozen), memory_,
                    *group.is_on_disk ? 0 : group.kept_bytes);
  session::PartEncoder parts(frozen.session(), spec_.file);
  for (const auto& [name, place] : group.places) {
    const auto& [benchmark, data_seed] = name;
    for (const Side side : datasets::kSides) {
      parts.add(datasets::to_string(side), benchmarks_.drawn(benchmark, data_seed).of(side),
                is_test(side) ? benchmarks_.test_file(benchmark) : benchmarks_.file(benchmark));
    }
  }
  std::vector<session::PartEncoder::Encoded> all = parts.encode_keys(failed);
  auto next = std::make_move_iterator(all.begin());
  for (auto& [name, place] : group.places) {
    const datasets::OodBenchmark& drawn = benchmarks_.drawn(name.first, name.second);
    datasets::BySide<session::PartEncoder::Encoded> encoded;
    for (const Side side : datasets::kSides) {
      encoded[side] = *next++;
    }
    TunedMolecules& molecules = place.molecules;
    molecules.parts = &group.parts;
    molecules.device = torch::to_c10(runtime::parse_device(settings_.compute.device));
    molecules.training = frozen.numbers(encoded);
    molecules.test_id = frozen.numbers(encoded[Side::test_id]);
    molecules.test_ood = frozen.numbers(encoded[Side::test_ood]);
    molecules.identity = frozen.identity(encoded);
    molecules.facts.test_id_smiles = encoded[Side::test_id].smiles;
    molecules.facts.test_ood_smiles = encoded[Side::test_ood].smiles;
    molecules.facts.trained = datasets::trained_molecules(drawn);
    molecules.facts.shared_molecules = drawn.shared_molecules;
  }
}

ood::TrainingPlan MatrixTuning::plan(const matrix::Cell& cell, const ood::TrainingOptions& options,
                                     const ood::TensorBudget& budget) const {
  const Group& group = groups_.at(group_name(cell));
  const datasets::OodBenchmark& drawn = benchmarks_.drawn(cell.benchmark, cell.data_seed);
  return ood::plan_tuning(options, *group.parts.trained,
                          {.molecules = group.places.at(place_name(cell)).sizes,
                           .train_id = drawn.train_id.size(),
                           .train_ood = drawn.train_ood.size(),
                           .validation = drawn.val_id.size() + drawn.val_ood.size(),
                           .kept_bytes = group.kept_bytes,
                           .is_kept_on_disk = group.is_on_disk,
                           .is_on_gpu = memory_.on_device()},
                          /*threads=*/1, budget)
      .training;
}

const TunedMolecules& MatrixTuning::of(const matrix::Cell& cell) const {
  return groups_.at(group_name(cell)).places.at(place_name(cell)).molecules;
}

}  // namespace molgauge::verbs
