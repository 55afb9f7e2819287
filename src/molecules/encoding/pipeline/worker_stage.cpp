#include "molecules/encoding/pipeline/worker_stage.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/log.h"
#include "base/core/text/counted.h"
#include "molecules/chem/perception.h"

namespace molgauge::pipeline {
namespace {

std::vector<memory::ItemSize> sizes_of(std::span<const PendingMolecule> molecules) {
  std::vector<memory::ItemSize> sizes;
  for (const PendingMolecule& molecule : molecules) {
    sizes.push_back(molecule.featurised->size());
  }
  return sizes;
}

}  // namespace

WorkerStage::WorkerStage(const encoders::Encoder& encoder, const PipelineOptions& options,
                         RecordTracker& tracker, StageTimes& times, memory::Recovery& recovery,
                         WorkQueue& work, BoundedQueue<EncodedBatch>& finished, FineWriter* fine)
    : encoder_(encoder),
      options_(options),
      tracker_(tracker),
      times_(times),
      recovery_(recovery),
      work_(work),
      finished_(finished),
      fine_(fine) {}

void WorkerStage::run() {
  if (options_.on_worker_start) {
    options_.on_worker_start();
  }
  while (auto work = work_.next()) {
    if (cancellation_requested()) {
      work_.abandon();
      return;
    }
    if (const auto* chunk = std::get_if<Chunk>(&*work)) {
      featurise(*chunk);
    } else if (!finished_.push(encode(std::get<Batch>(*work)))) {
      work_.abandon();  // the writer has failed
      return;
    }
  }
}

void WorkerStage::featurise(const Chunk& chunk) {
  {
    const StageTimes::Busy busy(times_, Stage::featurise);
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      featurise(chunk.window->molecules[i]);
    }
  }
  const bool window_complete = chunk.window->chunks_left.fetch_sub(1) == 1;
  work_.finish_chunk(window_complete ? pack(*chunk.window) : std::vector<Batch>());
}

void WorkerStage::featurise(PendingMolecule& molecule) {
  try {
    recovery_.retry_until_fits("featurising a molecule",
                               [&] { molecule.featurised = encoder_.featurise(perceive(molecule.record)); });
    if (const std::size_t left_out = molecule.featurised->atoms_left_out(); left_out > 0) {
      tracker_.cropped();
      log_info("{}:{}: {} left out, because the encoder reached its maximum", molecule.record.file,
               molecule.record.line, counted(left_out, "atom"));
    }
  } catch (const InputError& error) {
    tracker_.failed(molecule.key, molecule.record, error.what());
  }
}

chem::Molecule WorkerStage::perceive(const chem::MoleculeRecord& record) const {
  const chem::Perception wanted = encoder_.perception();
  chem::Molecule molecule = chem::perceive(record, wanted);
  if (wanted.coordinates != chem::Coordinates::none && !molecule.conformer) {
    if (!options_.conformers) {
      throw InputError("has no 3D coordinates, which the encoder needs. Give an .sdf with 3D coordinates");
    }
    molecule.conformer = options_.conformers(record, wanted.coordinates);
  }
  return molecule;
}

std::vector<Batch> WorkerStage::pack(Window& window) {
  const StageTimes::Busy busy(times_, Stage::pack);
  std::vector<PendingMolecule>& molecules = window.molecules;
  std::erase_if(molecules, [](const PendingMolecule& molecule) { return !molecule.featurised; });
  std::vector<std::vector<std::size_t>> members;
  std::vector<Batch> batches;
  recovery_.retry_until_fits("packing batches", [&] {
    members = memory::pack_largest_first(sizes_of(molecules), [this](auto batch) { return fits(batch); });
    batches = std::vector<Batch>(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      batches[i].reserve(members[i].size());
    }
  });
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (const std::size_t member : members[i]) {
      batches[i].push_back(std::move(molecules[member]));
    }
  }
  return batches;
}

bool WorkerStage::fits(std::span<const memory::ItemSize> batch) const {
  return tokens_of(batch) <= recovery_.at_once() && (!options_.fits || options_.fits(batch));
}

/// The number of tokens of a batch, including padding. Recovery limits this number.
std::size_t WorkerStage::tokens_of(std::span<const memory::ItemSize> batch) const {
  return encoder_.cost(batch).padded;
}

EncodedBatch WorkerStage::encode(const Batch& batch) {
  const StageTimes::Busy busy(times_, Stage::encode);
  const std::size_t width = encoder_.width();
  EncodedBatch encoded;
  std::vector<memory::ItemSize> all_sizes;
  recovery_.retry_until_fits("making room for the rows of a batch", [&] {
    encoded.rows.resize(batch.size() * width);
    encoded.keys.reserve(batch.size());
    all_sizes = sizes_of(batch);
  });
  for (Molecules rest(batch); !rest.empty();) {
    const auto sizes = std::span(all_sizes).last(rest.size());
    const std::size_t limit = recovery_.at_once();
    const std::size_t count =
        memory::leading_items(sizes, [&](auto leading) { return tokens_of(leading) <= limit; });
    const Molecules part = rest.first(count);
    const auto rows = std::span(encoded.rows).subspan(encoded.keys.size() * width, part.size() * width);
    const auto divisible =
        part.size() > 1 ? memory::Recovery::Divisible::yes : memory::Recovery::Divisible::no;
    if (recovery_.attempt(tokens_of(sizes.first(count)), divisible, [&] { encode_rows(part, rows); })) {
      tracker_.encoded_batch();
      keep_finite(part, encoded);
      rest = rest.subspan(part.size());
    }
  }
  encoded.rows.resize(encoded.keys.size() * width);
  return encoded;
}

void WorkerStage::encode_rows(Molecules part, std::span<float> rows) const {
  std::vector<const encoders::FeaturisedMolecule*> featurised;
  for (const PendingMolecule& molecule : part) {
    featurised.push_back(molecule.featurised.get());
  }
  if (fine_ == nullptr) {
    encoder_.encode(featurised, rows);
    return;
  }
  encoder_.encode_finely(featurised, rows, [&](std::size_t i, const encoders::AtomPairFeatures& features) {
    fine_->add(part[i].key, features);
  });
}

/// Adds the keys of a part to `encoded`, which already contains the rows of the part after the rows of
/// earlier parts. If the row of a molecule is not finite, the molecule fails, its row is removed, and the
/// following rows move up.
void WorkerStage::keep_finite(Molecules part, EncodedBatch& encoded) {
  const std::size_t width = encoder_.width();
  auto row = encoded.rows.begin() + static_cast<std::ptrdiff_t>(encoded.keys.size() * width);
  auto place = row;
  const auto step = static_cast<std::ptrdiff_t>(width);
  for (const PendingMolecule& molecule : part) {
    if (!std::all_of(row, row + step, [](float number) { return std::isfinite(number); })) {
      tracker_.failed(molecule.key, molecule.record, "the encoder's numbers for it are not finite");
    } else {
      if (place != row) {
        std::copy_n(row, width, place);
      }
      place += step;
      encoded.keys.push_back(molecule.key);
    }
    row += step;
  }
}

}  // namespace molgauge::pipeline
