#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "chem/record.h"
#include "core/hash.h"
#include "models/encoders/encoder.h"

/// The data that pass from stage to stage.
namespace headroom::pipeline {

/// A molecule on its way.
struct PendingMolecule {
  Hash128 key = {};
  chem::MoleculeRecord record;
  std::unique_ptr<encoders::FeaturisedMolecule>
      featurised;  ///< null before featurising, and for a failed one
};

/// Consecutive new molecules of the input that are packed into batches together, once all are featurised:
/// wide enough to put molecules of one size into one batch.
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

}  // namespace headroom::pipeline
