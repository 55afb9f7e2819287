#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "encoders/encoder.h"
#include "headroom/types.h"
#include "ops/array.h"
#include "pipeline/encode_molecules.h"
#include "pipeline/row_table.h"
#include "session/encoding/encoding_plan.h"
#include "session/encoding/molecule_input.h"
#include "session/memory_session.h"

namespace headroom::session {

/// What a verb says about encoding; empty folders mean those of $HEADROOM_HOME.
struct EncodingSettings {
  std::string encoder, store, weights;
  std::string features = "native";  ///< native, imported:NAME
  std::size_t batch_atoms = 0;      ///< 0: the pipeline's choice
  bool strict = false;
  bool keep_keys = true;  ///< rows are wanted afterwards
  /// The device is wanted for a head as well; an encoder that has no use for a GPU stays on the CPU.
  bool for_a_head = false;
  ComputeOptions compute;
};

/// The precision that is asked for: "fast" becomes the name of the one that is the quickest for this encoder
/// on the device, which is logged; other texts stay, and all of them for an encoder without precisions.
std::string resolve_precision(const ComputeOptions& compute, const std::string& encoder);

/// An encoder and its rows in the feature store, ready to encode, within the budget. Encoding is the phase
/// "encoding".
class EncodingSession {
 public:
  /// Loads the encoder and opens the store. Throws as make_encoder,
  /// make_imported_encoder and FeatureStore::open do.
  EncodingSession(EncodingSettings settings, MemorySession& memory);

  const encoders::Encoder& encoder() const { return *encoder_; }
  pipeline::RowTable& table() { return *table_; }

  /// Foresees what encode() will take for such molecules, where other work comes before it.
  void foresee(const MoleculeList& molecules);

  /// Sees to it that every molecule has its row. Throws as pipeline::encode_molecules does, and InputError
  /// when not one record of the source is a molecule. Throws Error with exit code 4 where the budget does not
  /// suffice for the smallest batches. `molecules`: what is known of them.
  pipeline::EncodeOutcome encode(const pipeline::MoleculeSource& source, MoleculeList molecules);

  /// What was planned for the last encode(), as `headroom memory plan` has it.
  const MemoryPlan& plan() const { return report_; }
  std::size_t workers() const { return workers_; }

  /// Times that memory ran out in encode() and the work was done after all.
  std::size_t oom_recoveries() const { return oom_recoveries_; }

  /// The rows of keys that encode() gave, on the CPU: float32 [keys.size(), width]. Throws Error when one is
  /// gone.
  ops::Floats features(std::span<const Hash128> keys);

 private:
  EncodingModel& model();
  EncodingPlan make_plan(const EncodingPlanner& planner, std::uint64_t key_bytes);
  std::uint64_t key_bytes(std::size_t records) const;

  EncodingSettings settings_;
  MemorySession& memory_;
  std::unique_ptr<encoders::Encoder> encoder_;
  std::unique_ptr<pipeline::RowTable> table_;
  std::unique_ptr<encoders::Encoder> encoder_for_plans_;  ///< on the CPU; null where encoder_ is
  std::unique_ptr<EncodingModel> model_;                  ///< null until it is needed
  /// Of LibTorch, held for as long as an encoder on a GPU lives: its workers call it side by side.
  std::shared_ptr<void> one_operator_thread_;
  MemoryPlan report_;
  std::size_t workers_ = 0;
  std::size_t oom_recoveries_ = 0;
};

}  // namespace headroom::session
