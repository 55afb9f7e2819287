#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "encoders/encoder.h"
#include "headroom/types.h"
#include "memory/phase.h"
#include "pipeline/encode_molecules.h"
#include "pipeline/row_table.h"

namespace headroom::verbs {

/// What a verb says about encoding; empty folders mean those of $HEADROOM_HOME.
struct EncodingSettings {
  std::string encoder, store, weights;
  std::string features = "native";  ///< native, imported:NAME
  std::size_t batch_atoms = 0;      ///< 0: the pipeline's choice
  bool strict = false;
  ComputeOptions compute;
};

/// "fast" becomes the name of the precision that is the quickest here, which is logged; other texts stay.
std::string resolve_precision(const std::string& precision);

/// An encoder and its rows in the feature store, ready to encode. Encoding is the phase "encoding" of the
/// recorder.
class EncodingSession {
 public:
  /// Loads the encoder and opens the store. Throws as make_encoder,
  /// make_imported_encoder and FeatureStore::open do.
  EncodingSession(EncodingSettings settings, memory::PhaseRecorder& recorder);

  const encoders::Encoder& encoder() const { return *encoder_; }
  pipeline::RowTable& table() { return *table_; }

  /// Sees to it that every molecule has its row. Throws as pipeline::encode_molecules does, and InputError
  /// when not one record of the source is a molecule. `total`: number of records, 0 when unknown.
  pipeline::EncodeOutcome encode(const pipeline::MoleculeSource& source, std::size_t total = 0);

  /// Times that memory ran out in encode() and the work was done after all.
  std::size_t oom_recoveries() const { return oom_recoveries_; }

  /// The rows of keys that encode() gave, on the CPU: float32 [keys.size(), width]. Throws Error when one is
  /// gone.
  at::Tensor features(std::span<const Hash128> keys);

 private:
  EncodingSettings settings_;
  memory::PhaseRecorder& recorder_;
  std::unique_ptr<encoders::Encoder> encoder_;
  std::unique_ptr<pipeline::RowTable> table_;
  std::size_t oom_recoveries_ = 0;
};

}  // namespace headroom::verbs
