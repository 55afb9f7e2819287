#include "pipeline/worker_stage.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "chem/perception.h"
#include "core/cancellation.h"
#include "core/error.h"
#include "pipeline/packing.h"

namespace headroom::pipeline {

WorkerStage::WorkerStage(const encoders::Encoder& encoder, const PipelineOptions& options, Ledger& ledger,
                         StageTimes& times, WorkQueue& work, BoundedQueue<EncodedBatch>& finished)
    : encoder_(encoder),
      options_(options),
      ledger_(ledger),
      times_(times),
      work_(work),
      finished_(finished) {}

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
    molecule.featurised = encoder_.featurise(chem::perceive(molecule.record, encoder_.perception()));
  } catch (const InputError& error) {
    ledger_.failed(molecule.key, molecule.record, error.what());
  }
}

std::vector<Batch> WorkerStage::pack(Window& window) {
  const StageTimes::Busy busy(times_, Stage::pack);
  std::vector<PendingMolecule>& molecules = window.molecules;
  std::erase_if(molecules, [](const PendingMolecule& molecule) { return !molecule.featurised; });
  std::vector<std::size_t> atoms;
  for (const PendingMolecule& molecule : molecules) {
    atoms.push_back(molecule.featurised->atom_count());
  }
  std::vector<Batch> batches;
  for (const std::vector<std::size_t>& members : pack_batches(atoms, options_.batch_atoms)) {
    Batch& batch = batches.emplace_back();
    for (const std::size_t member : members) {
      batch.push_back(std::move(molecules[member]));
    }
  }
  return batches;
}

EncodedBatch WorkerStage::encode(const Batch& batch) {
  const StageTimes::Busy busy(times_, Stage::encode);
  const std::size_t width = encoder_.width();
  std::vector<const encoders::FeaturisedMolecule*> molecules;
  for (const PendingMolecule& molecule : batch) {
    molecules.push_back(molecule.featurised.get());
  }
  EncodedBatch encoded;
  encoded.rows.resize(batch.size() * width);
  encoder_.encode(molecules, encoded.rows);

  const auto is_finite = [](float number) { return std::isfinite(number); };
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const auto row = encoded.rows.begin() + static_cast<std::ptrdiff_t>(i * width);
    if (!std::all_of(row, row + static_cast<std::ptrdiff_t>(width), is_finite)) {
      ledger_.failed(batch[i].key, batch[i].record, "the encoder's numbers for it are not finite");
      continue;
    }
    // Rows move up over those of failed molecules.
    const auto place = encoded.rows.begin() + static_cast<std::ptrdiff_t>(encoded.keys.size() * width);
    if (place != row) {
      std::copy_n(row, width, place);
    }
    encoded.keys.push_back(batch[i].key);
  }
  encoded.rows.resize(encoded.keys.size() * width);
  return encoded;
}

}  // namespace headroom::pipeline
