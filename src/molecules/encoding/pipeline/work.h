#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "base/core/hash.h"
#include "molecules/chem/record.h"
#include "molecules/encoders/encoder.h"

/// The data that the stages pass to each other.
namespace molgauge::pipeline {

/// A molecule in the pipeline.
struct PendingMolecule {
  Hash128 key = {};
  chem::MoleculeRecord record;
  std::unique_ptr<encoders::FeaturisedMolecule>
      featurised;  ///< null before featurising, and if featurising failed
};

/// Consecutive new molecules of the input. After all of them are featurised, they are packed into batches. A
/// window is large enough to put molecules of similar size into one batch.
struct Window {
  std::vector<PendingMolecule> molecules;
  std::atomic<std::size_t> chunks_left{0};
};

/// The molecules [begin, end) of a window, to be featurised by one thread.
struct Chunk {
  std::shared_ptr<Window> window;
  std::size_t begin = 0, end = 0;
};

/// Featurised molecules, to be encoded at once.
using Batch = std::vector<PendingMolecule>;

/// Finished rows (row-major [keys.size(), width]), to be stored.
struct EncodedBatch {
  std::vector<Hash128> keys;
  std::vector<float> rows;
};

}  // namespace molgauge::pipeline
