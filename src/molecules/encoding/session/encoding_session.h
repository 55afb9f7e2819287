#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/numerics/ops/array.h"
#include "base/runtime/budget_scope.h"
#include "molecules/encoders/descriptor.h"
#include "molecules/encoders/encoder.h"
#include "molecules/encoding/pipeline/atom_pair_features.h"
#include "molecules/encoding/pipeline/encode_molecules.h"
#include "molecules/encoding/pipeline/row_table.h"
#include "molecules/encoding/session/conformer_maker.h"
#include "molecules/encoding/session/encoding_plan.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molgauge/conformers.h"
#include "molgauge/types.h"

namespace molgauge::encoders::chemprop {
struct ModelSet;
}

namespace molgauge::session {

/// The parts of an EncodingSession.
struct EncoderAndRows {
  std::unique_ptr<encoders::Encoder> encoder;
  std::unique_ptr<pipeline::RowTable> rows;
  /// The measurements of the planner for this encoder. Null if they have not been made yet.
  std::unique_ptr<EncodingModel> model = nullptr;
};

/// The encoding options of a verb. Empty folders mean the folders in $MOLGAUGE_HOME.
struct EncodingSettings {
  std::string encoder, store, weights;
  std::string features = "native";  ///< native, imported:NAME
  std::size_t batch_atoms = 0;      ///< forced number of tokens in a batch. If 0, the planner chooses
  bool strict = false;
  bool keep_keys = true;  ///< whether the caller reads the rows after encoding
  /// Set it if encode() is called for parts of an input. A part in which every record fails is then not an
  /// error.
  bool allow_all_failed = false;
  /// Set it for a call for one molecule on the CPU. The call then starts no thread and does not print its
  /// plan.
  bool is_short = false;
  /// Set it to write single rows after encode() has returned (pipeline::WriteBehindTable). The table must
  /// then stay open for later calls.
  bool writes_later = false;
  /// Set it if the device was requested for a head that uses the rows of the encoder. An encoder that cannot
  /// use a GPU then stays on the CPU.
  bool for_a_head = false;
  /// See encoders::EncoderSettings.
  std::filesystem::path tuned = {};
  /// For the encoder "chemprop", the models that were read from `tuned`. If null, the session reads them.
  std::shared_ptr<const encoders::chemprop::ModelSet> models = {};
  PlacementOptions placement = {};
  encoders::AtomPairChoice fine = {};  ///< atom features and pair features, in addition to the rows
  ComputeOptions compute;
};

/// Resolves the requested precision. "fast" becomes the name of the fastest precision for this encoder on the
/// device, and the log names it. Other texts are returned unchanged. For an encoder without precisions, all
/// texts are returned unchanged.
std::string resolve_precision(const ComputeOptions& compute, const std::string& encoder);

/// Checks that the installed weights are intact, and that they are random only if random weights were
/// requested. Throws UsageError if the weights contradict the settings.
void require_expected_weights(const EncodingSettings& settings);

/// An encoder and its rows in the feature store, ready to encode within the budget. The name of the memory
/// phase is "encoding".
class EncodingSession {
 public:
  /// Loads the encoder and opens the store. Throws the errors of make_encoder, make_imported_encoder and
  /// FeatureStore::open.
  EncodingSession(EncodingSettings settings, runtime::BudgetScope& memory);
  /// Uses an encoder and a table that the caller provides.
  EncodingSession(EncodingSettings settings, runtime::BudgetScope& memory,
                  std::unique_ptr<encoders::Encoder> encoder, std::unique_ptr<pipeline::RowTable> table);
  /// Uses the encoder and the table that release() returned.
  EncodingSession(EncodingSettings settings, runtime::BudgetScope& memory, EncoderAndRows released);

  /// Ends the session and returns its parts for another session with the same settings. Do not call methods
  /// of this session afterwards.
  EncoderAndRows release() { return {std::move(encoder_), std::move(table_), std::move(model_)}; }

  const EncodingSettings& settings() const { return settings_; }
  const encoders::Encoder& encoder() const { return *encoder_; }
  pipeline::RowTable& table() { return *table_; }
  /// Returns the tables of the requested atom features and pair features, or null if none were requested.
  const pipeline::AtomPairTables* fine() const { return fine_.get(); }

  /// Reserves bytes that the encoder will keep in addition to its batches. Call it before encode().
  void set_aside(std::uint64_t bytes) { set_aside_ = bytes; }

  /// Declares the memory that encode() will need for these molecules. Call it if other work runs before
  /// encode().
  void declare_requirement(const MoleculeList& molecules);

  /// The least memory with which encode() can encode these molecules.
  runtime::MemoryRequirement smallest_need(const MoleculeList& molecules);

  /// Encodes the molecules that have no row in the store. `molecules`: the known facts about the molecules of
  /// the source. Throws the errors of pipeline::encode_molecules, and InputError if all records of the source
  /// are invalid. Throws Error with exit code 4 if the budget is too small for the smallest batches.
  pipeline::EncodeOutcome encode(const pipeline::MoleculeSource& source, MoleculeList molecules);

  /// The plan of the last encode(), in the form of `molgauge memory plan`.
  const MemoryPlan& plan() const { return report_; }
  std::size_t workers() const { return workers_; }
  /// The counts of the conformers that the last encode() needed.
  const ConformerCounts& conformers() const { return conformers_; }

  /// The number of times that memory ran out in encode() and the work was still finished.
  std::size_t oom_recoveries() const { return oom_recoveries_; }

  /// The rows of keys from encode(), on the CPU: float32 [keys.size(), width]. Throws Error if a row is
  /// missing.
  ops::Floats features(std::span<const Hash128> keys);

 private:
  EncodingModel& model();
  EncodingPlan make_plan(const EncodingPlanner& planner, std::uint64_t bytes_beside);
  /// Bytes for the keys of the molecules, and for reading the longest record.
  std::uint64_t bytes_beside_batches(const MoleculeList& molecules) const;

  EncodingSettings settings_;
  std::uint64_t set_aside_ = 0;
  runtime::BudgetScope& memory_;
  std::unique_ptr<encoders::Encoder> encoder_;
  std::unique_ptr<const pipeline::AtomPairTables> fine_;  ///< null if no such features are requested
  std::unique_ptr<pipeline::RowTable> table_;
  /// For an encoder on a GPU, a copy on the CPU. Null if encoder_ is on the CPU.
  std::unique_ptr<encoders::Encoder> encoder_for_plans_;
  std::unique_ptr<EncodingModel> model_;  ///< null until model() is called first
  /// LibTorch operators use one thread during the life of an encoder on a GPU, because its workers run in
  /// parallel.
  std::shared_ptr<void> one_operator_thread_;
  MemoryPlan report_;
  std::size_t workers_ = 0;
  ConformerCounts conformers_;
  std::size_t oom_recoveries_ = 0;
};

}  // namespace molgauge::session
