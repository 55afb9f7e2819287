#include "molecules/encoding/session/encoding_plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/memory/measure/tensor_memory.h"
#include "molecules/chem/perception.h"
#include "molecules/encoders/featurising.h"
#include "molecules/encoding/pipeline/encode_molecules.h"
#include "molecules/encoding/pipeline/packing.h"

namespace molgauge::session {
namespace {

/// A typical drug. The planner assumes molecules of this size if the molecules are not known in advance.
constexpr encoders::MoleculeSize kUsualMolecule{.atoms = 26, .edges = 56};
/// Number of molecules that the planner assumes if they are not known. They fill more than one batch.
constexpr std::size_t kUsualMolecules = 4 * pipeline::kUsualBatchTokens / kUsualMolecule.atoms;
constexpr std::size_t kUsualMoleculesOnGpu = 4 * pipeline::kUsualGpuBatchTokens / kUsualMolecule.atoms;

/// Returns notes for the report about the list of molecules.
std::vector<std::string> notes_about(const MoleculeList& molecules) {
  std::vector<std::string> notes;
  const std::size_t readable = molecules.records - molecules.refused;
  if (molecules.refused > 0) {
    notes.push_back(
        fmt::format("{} of {} records will be refused, most likely because they have more than {} atoms. The "
                    "plan leaves them out",
                    molecules.refused, molecules.records, chem::kMaxAtoms));
  }
  if (molecules.sizes.size() < readable) {
    notes.push_back(fmt::format("planned for the largest {} of {} molecules. The others need less",
                                molecules.sizes.size(), readable));
  }
  if (molecules.records == 0) {
    notes.push_back(fmt::format("the molecules are not known in advance. The plan assumes {} atoms each",
                                kUsualMolecule.atoms));
  }
  return notes;
}

/// Returns the known molecules. If none is known, returns typical drugs.
std::span<const encoders::MoleculeSize> planned_molecules(const MoleculeList& molecules, bool on_device) {
  static const std::vector<encoders::MoleculeSize> usual(kUsualMoleculesOnGpu, kUsualMolecule);
  if (!molecules.sizes.empty()) {
    return molecules.sizes;
  }
  return std::span(usual).first(molecules.records > 0 ? 1
                                : on_device           ? kUsualMoleculesOnGpu
                                                      : kUsualMolecules);
}

encoders::MoleculeSize largest_of(std::span<const encoders::MoleculeSize> molecules) {
  encoders::MoleculeSize largest{.atoms = 0, .edges = 0};
  for (const encoders::MoleculeSize& molecule : molecules) {
    largest.atoms = std::max(largest.atoms, molecule.atoms);
    largest.edges = std::max(largest.edges, molecule.edges);
  }
  return largest;
}

std::vector<memory::ItemSize> estimate_all(const encoders::Encoder& encoder,
                                           std::span<const encoders::MoleculeSize> molecules) {
  std::vector<memory::ItemSize> sizes;
  sizes.reserve(molecules.size());
  for (const encoders::MoleculeSize& molecule : molecules) {
    sizes.push_back(encoder.estimate(molecule));
  }
  return sizes;
}

/// Returns the sizes of the records that determine the memory of the host. Unknown records count as typical
/// drugs.
pipeline::RecordSizes record_sizes(const MoleculeList& molecules, const encoders::MoleculeSize& largest,
                                   const encoders::Encoder& encoder) {
  pipeline::RecordSizes sizes;
  sizes.largest = encoder.estimate(largest);
  if (molecules.atoms > 0) {
    // A molecule has at least one token for every atom, so the number of atoms is a lower bound of the
    // tokens.
    const double most = pipeline::WindowCutter::kTextBytesPerToken;
    sizes.text_bytes_per_token =
        std::min(most, static_cast<double>(molecules.text_bytes) / static_cast<double>(molecules.atoms));
    sizes.longest_text = molecules.longest_text;
  }
  sizes.featurising_bytes = encoders::record_featurising_bytes(
      encoder, {.molecule = largest, .characters = molecules.longest_molecule});
  return sizes;
}

memory::StepProber make_prober(memory::StepModel& step, const encoders::Encoder& encoder) {
  memory::AllocationMeter& meter = memory::tensor_memory();
  const std::uint64_t living = meter.allocated_bytes();
  const std::uint64_t outside = living - std::min(living, encoder.parameter_bytes());
  memory::StepProber prober(step, meter, outside, memory::AllocationMeter::kNoLimit, {});
  // The probes use few, small molecules, so a limit is unnecessary. smallest_need() decides whether the
  // memory is sufficient.
  prober.lift_limit();
  return prober;
}

memory::StepProjection project(memory::StepProber& prober) {
  const auto projection = prober.project({});
  if (!projection) {
    throw Error("the rest of --memory-budget is too small even for a few small molecules. Raise it",
                ExitCode::over_budget);
  }
  return *projection;
}

/// Divides the molecules into windows as the pipeline does, and sorts them by window. A molecule with its own
/// window comes before the window that was open when it was read.
std::vector<std::size_t> cut_into_windows(std::vector<memory::ItemSize>& molecules,
                                          std::size_t batch_tokens) {
  pipeline::WindowCutter cutter(batch_tokens);
  std::vector<memory::ItemSize> ordered, window;
  std::vector<std::size_t> windows;
  const auto close = [&] {
    windows.push_back(window.size());
    ordered.insert(ordered.end(), window.begin(), window.end());
    window.clear();
  };
  for (const memory::ItemSize& molecule : molecules) {
    if (cutter.is_window_of_its_own(molecule.tokens)) {
      windows.push_back(1);
      ordered.push_back(molecule);
      continue;
    }
    window.push_back(molecule);
    if (cutter.fills(molecule.tokens, /*text_bytes=*/0)) {
      close();
    }
  }
  if (!window.empty()) {
    close();
  }
  molecules = std::move(ordered);
  return windows;
}

std::string reason_for(std::size_t batch_tokens, std::size_t usual_tokens, bool is_forced) {
  if (is_forced) {
    return fmt::format("batches of {} atoms, as requested", batch_tokens);
  }
  if (batch_tokens == usual_tokens) {
    return fmt::format("speed: batches of more than {} atoms are not faster", batch_tokens);
  }
  return fmt::format(
      "the budget: with batches of more than {} atoms, the waiting molecules need too much memory",
      batch_tokens);
}

}  // namespace

std::size_t forced_batch_tokens(const ComputeOptions& compute, std::size_t requested) {
  return requested == 0 && compute.conservative ? pipeline::kSmallestBatchTokens : requested;
}

EncodingModel::EncodingModel(const encoders::Encoder& encoder, Device device)
    : encoder_(encoder),
      device_(device),
      step_(encoder, device),
      prober_(make_prober(step_, encoder)),
      projection_(project(prober_)) {}

EncodingPlanner::EncodingPlanner(EncodingModel& model, const MoleculeList& molecules)
    : model_(model),
      notes_(notes_about(molecules)),
      molecules_(estimate_all(model.encoder(), planned_molecules(molecules, model.on_device()))),
      mix_(memory::packed_cost(molecules_)),
      largest_(model.encoder().estimate(largest_of(planned_molecules(molecules, model.on_device())))),
      chooser_(
          model.encoder(), [this](std::size_t tokens) { return batch_bytes(tokens); },
          record_sizes(molecules, largest_of(planned_molecules(molecules, model.on_device())),
                       model.encoder()),
          model.on_device()) {}

std::uint64_t EncodingPlanner::bytes_of(const memory::Cost& cost) const {
  const memory::StepProjection& projection = model_.projection();
  return projection.peak_bytes(cost) - projection.resident_bytes();
}

std::uint64_t EncodingPlanner::batch_bytes(std::size_t tokens) const {
  const auto share = static_cast<double>(tokens) / static_cast<double>(mix_.tokens);
  const auto part = [&](std::uint64_t whole) {
    return static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(whole)));
  };
  return std::max(
      bytes_of({.items = part(mix_.items), .tokens = tokens, .pairs = part(mix_.pairs), .padded = tokens}),
      bytes_of(model_.encoder().cost({&largest_, 1})));
}

runtime::MemoryRequirement EncodingPlanner::smallest_need(std::size_t batch_tokens,
                                                          std::uint64_t key_bytes) const {
  const pipeline::BatchChoice smallest = chooser_.smallest(batch_tokens);
  return {.what = "encoding with " + model_.encoder().identity().encoder,
          .host_bytes = smallest.host_bytes + key_bytes,
          .device_bytes = smallest.device_bytes};
}

memory::PlanningRequest EncodingPlanner::request_for(const memory::AvailableMemory& room,
                                                     const pipeline::BatchChoice& choice,
                                                     bool is_forced) const {
  const std::uint64_t others = room.device ? 0 : choice.host_bytes - choice.tensor_bytes;
  const std::uint64_t all = room.device.value_or(room.host);
  memory::PlanningRequest request;
  request.items = molecules_;
  request.items_name = "molecules";
  request.budget_bytes =
      model_.projection().resident_bytes() + (all - std::min(all, others)) / choice.workers;
  request.windows = cut_into_windows(request.items, choice.batch_tokens);
  request.most_tokens = memory::TokenLimit{
      choice.batch_tokens, reason_for(choice.batch_tokens, chooser_.usual_batch_tokens(), is_forced)};
  return request;
}

PlannedEncoding EncodingPlanner::plan(const memory::AvailableMemory& room, std::size_t workers,
                                      std::size_t batch_tokens, bool printed) const {
  pipeline::BatchChoice choice =
      chooser_.choose(room, workers, batch_tokens).value_or(chooser_.smallest(batch_tokens));
  memory::PlanningRequest request = request_for(room, choice, batch_tokens > 0);
  request.printed = printed;
  memory::PlannedSteps steps = model_.plan(request);
  PlannedEncoding planned{std::move(steps.report), std::nullopt};
  if (choice.workers > 1) {
    planned.report.notes.push_back(
        fmt::format("{} workers in parallel: the budget above is for one worker", choice.workers));
  }
  planned.report.notes.insert(planned.report.notes.end(), notes_.begin(), notes_.end());
  if (steps.plan) {
    const std::uint64_t worst = steps.plan->peak_bytes(steps.plan->worst_batch);
    choice.set_tensors(choice.workers * (worst - model_.projection().resident_bytes()));
    planned.plan = EncodingPlan{choice, std::move(*steps.plan)};
  }
  return planned;
}

}  // namespace molgauge::session
