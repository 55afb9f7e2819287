#include "engine/encoding_plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "ops/cpu_tensor_memory.h"
#include "pipeline/encode_molecules.h"
#include "pipeline/packing.h"

namespace headroom::verbs {
namespace {

/// Stands for molecules that nobody knows yet: a drug.
constexpr memory::ItemSize kUsualMolecule{.atoms = 26, .edges = 56};
/// More than a batch.
constexpr std::size_t kUsualMolecules = 4 * pipeline::kUsualBatchAtoms / kUsualMolecule.atoms;

memory::StepProber make_prober(memory::StepModel& step, const encoders::Encoder& encoder) {
  memory::AllocationMeter& meter = ops::cpu_tensor_memory();
  const std::uint64_t living = meter.allocated_bytes();
  const std::uint64_t outside = living - std::min(living, encoder.parameter_bytes());
  memory::StepProber prober(step, meter, outside, memory::AllocationMeter::kNoLimit, {});
  prober.lift_limit();  // a few molecules: whether they fit is said by whoever asks for room for the smallest
  return prober;
}

memory::StepProjection project(memory::StepProber& prober) {
  const auto projection = prober.project({});
  if (!projection) {
    throw Error(
        "not even a few small molecules can be encoded in what is left of --memory-budget; allow more",
        ExitCode::over_budget);
  }
  return *projection;
}

/// In the order in which the pipeline has them: a large molecule goes ahead of the window that it falls into.
std::vector<std::size_t> cut_into_windows(std::vector<memory::ItemSize>& molecules, std::size_t batch_atoms) {
  pipeline::WindowCutter cutter(batch_atoms);
  std::vector<memory::ItemSize> ordered, window;
  std::vector<std::size_t> windows;
  const auto close = [&] {
    windows.push_back(window.size());
    ordered.insert(ordered.end(), window.begin(), window.end());
    window.clear();
  };
  for (const memory::ItemSize& molecule : molecules) {
    if (cutter.is_window_of_its_own(molecule.atoms)) {
      windows.push_back(1);
      ordered.push_back(molecule);
      continue;
    }
    window.push_back(molecule);
    if (cutter.fills(molecule.atoms)) {
      close();
    }
  }
  if (!window.empty()) {
    close();
  }
  molecules = std::move(ordered);
  return windows;
}

std::string reason_for(std::size_t batch_atoms, bool is_forced) {
  if (is_forced) {
    return fmt::format("batches of {} atoms, as asked", batch_atoms);
  }
  if (batch_atoms == pipeline::kUsualBatchAtoms) {
    return fmt::format("speed: batches of more than {} atoms are not made, since they are no faster",
                       batch_atoms);
  }
  return fmt::format("the budget: with batches of more than {} atoms, what waits for them takes too much",
                     batch_atoms);
}

}  // namespace

EncodingModel::EncodingModel(const encoders::Encoder& encoder, Device device)
    : encoder_(encoder),
      device_(device),
      step_(encoder, device),
      prober_(make_prober(step_, encoder)),
      projection_(project(prober_)) {}

EncodingPlanner::EncodingPlanner(EncodingModel& model, MoleculeList molecules)
    : model_(model),
      molecules_(std::move(molecules.sizes)),
      chooser_(
          model.encoder(), [this](std::size_t atoms) { return batch_bytes(atoms); }, model.on_device()) {
  if (molecules_.size() < molecules.records) {
    notes_.push_back(fmt::format("made for the largest {} of {} molecules; the others take less",
                                 molecules_.size(), molecules.records));
  }
  if (molecules_.empty()) {
    notes_.push_back(fmt::format("the molecules are not known beforehand: taken to be of {} atoms each",
                                 kUsualMolecule.atoms));
    molecules_.assign(kUsualMolecules, kUsualMolecule);
  }
  all_ = memory::additive_load(molecules_);
}

std::uint64_t EncodingPlanner::batch_bytes(std::size_t atoms) const {
  const auto share = static_cast<double>(atoms) / static_cast<double>(all_.atoms);
  const auto part = [&](std::uint64_t whole) {
    return static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(whole)));
  };
  const memory::StepProjection& projection = model_.projection();
  return projection.peak_bytes({.items = part(all_.items), .atoms = atoms, .edges = part(all_.edges)}) -
         projection.resident_bytes();
}

memory::PlanningRequest EncodingPlanner::request_for(const pipeline::EncodingRoom& room,
                                                     const pipeline::BatchChoice& choice,
                                                     bool is_forced) const {
  const std::uint64_t others = room.device ? 0 : choice.host_bytes - choice.tensor_bytes;
  const std::uint64_t all = room.device.value_or(room.host);
  memory::PlanningRequest request;
  request.items = molecules_;
  request.items_name = "molecules";
  request.budget_bytes =
      model_.projection().resident_bytes() + (all - std::min(all, others)) / choice.workers;
  request.windows = cut_into_windows(request.items, choice.batch_atoms);
  request.most_atoms = memory::AtomLimit{choice.batch_atoms, reason_for(choice.batch_atoms, is_forced)};
  return request;
}

EncodingPlan EncodingPlanner::plan(const pipeline::EncodingRoom& room, std::size_t workers,
                                   std::size_t batch_atoms) const {
  EncodingPlan plan;
  plan.choice = chooser_.choose(room, workers, batch_atoms).value_or(smallest(batch_atoms));
  plan.steps = model_.plan(request_for(room, plan.choice, batch_atoms > 0));
  MemoryPlan& report = plan.steps.report;
  if (report.chosen) {
    const std::uint64_t worst = report.alternatives[*report.chosen].projected_bytes;
    plan.choice.set_tensors(plan.choice.workers * (worst - model_.projection().resident_bytes()));
  }
  report.notes.push_back(fmt::format("{} worker{} side by side: the budget above is one worker's",
                                     plan.choice.workers, plan.choice.workers == 1 ? "" : "s"));
  report.notes.insert(report.notes.end(), notes_.begin(), notes_.end());
  return plan;
}

}  // namespace headroom::verbs
