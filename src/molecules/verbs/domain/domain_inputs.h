#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/memory/measure/phase.h"
#include "base/runtime/failure_log.h"
#include "molecules/encoding/session/encoding_session.h"
#include "molecules/judging/judge.h"
#include "molecules/judging/training_set.h"
#include "molecules/verbs/domain/model_predictions.h"
#include "molgauge/domain.h"

namespace molgauge::verbs {

/// Throws InputError if the features of the encoder differ from the features of the domain. `folder`: the
/// folder of the domain, for the message.
void require_same_features(const domain::FeatureSource& source, const std::string& folder,
                           const encoders::Encoder& encoder);

/// Does the same for a saved domain, and compares the width of its features with the width of the encoder.
void require_same_features(const domain::SavedDomain& saved, const std::string& folder,
                           const encoders::Encoder& encoder);

/// Returns the source of the features of a request without a saved domain. FeatureSource::identity stays
/// empty, because the encoder is not loaded. Throws UsageError if the run `model` did not train its encoder,
/// or if `model` contradicts other options. Throws InputError if `model` is neither a chemprop model, a saved
/// domain nor a run folder of `molgauge train`.
domain::FeatureSource source_of(const DomainRequest& request);

/// The settings for encoding molecules with the features of a domain. The deadline of a conformer comes from
/// the request.
session::EncodingSettings settings_of(const DomainRequest& request, const domain::FeatureSource& source);

/// Throws InputError if `request.model`, a run or a saved domain, was made with other encoder weights than
/// the weights of `encoder`.
void require_model(const DomainRequest& request, const encoders::Encoder& encoder);

/// Returns --standardize (default: parent) and --keep-isotopes for a training file. Throws UsageError if
/// --keep-isotopes has no effect.
chem::Standardization standardize_of(const DomainRequest& request);

/// Encodes and describes the training molecules of a request. `phases` records the description as the phase
/// "describing". `molecules`: the estimated sizes of the molecules. Appends failed molecules to `failed`. If
/// several molecules have the same standardised form, keeps the first one with their merged label
/// (MergedValues). Throws InputError on an invalid label (datasets::LabelColumn).
domain::TrainingSet read_training(const DomainRequest& request, chem::Standardization mode,
                                  session::MoleculeList molecules, session::EncodingSession& session,
                                  std::size_t threads, memory::PhaseRecorder& phases,
                                  pipeline::FailureLog& failed);

/// A record of the candidates, with its columns.
struct CandidateRow {
  chem::MoleculeRecord record;
  std::vector<std::string> fields;  ///< fields of the input's columns
};

/// The encoded candidates, which can be read several times.
class CandidateList {
 public:
  /// Encodes the candidates in the file `path`. `shown`: name of the file in messages. `molecules`: the
  /// estimated sizes of the candidates. `mode`: how candidates are standardised before they are encoded.
  /// `predicted`: additional columns with predictions, or null.
  CandidateList(const DomainRequest& request, chem::Standardization mode, std::string path, std::string shown,
                session::MoleculeList molecules, session::EncodingSession& session,
                pipeline::FailureLog& failed, const PredictedColumns* predicted);

  std::size_t size() const { return keys_.size(); }
  /// Hash of all records and their order.
  Hash128 fingerprint() const;

  /// Returns a hash of the failures among the `count` records that start with the record `first`. Failures
  /// may differ between calls, for example because a later call allows more time for conformers.
  Hash128 failures(std::size_t first, std::size_t count) const;

  /// Reads the input again and calls visit(index of the block, rows) for blocks of `count` records.
  using Visit = std::function<void(std::size_t block, std::vector<CandidateRow>& rows)>;
  void for_each_block(std::size_t count, const Visit& visit);
  /// Returns the rows of a block in the form that domain::Judge takes. `first`: index of the first row.
  std::vector<domain::JudgedRecord> judged(std::size_t first, const std::vector<CandidateRow>& rows);

  // The functions below are valid after for_each_block().
  /// The columns of the input, followed by the columns of the predictions.
  const std::vector<std::string>& columns() const { return columns_; }
  /// Whether the input is an .sdf, whose records are not SMILES.
  bool are_mol_blocks() const { return are_mol_blocks_; }
  /// Returns the name or id of the molecule in the input, else its line number.
  std::string name_of(const CandidateRow& row) const;

 private:
  const DomainRequest& request_;
  std::string path_, shown_;
  session::EncodingSession& session_;
  const PredictedColumns* predicted_;
  std::vector<Hash128> keys_;                                 ///< keys of the encoded records
  std::vector<Hash128> drawn_;                                ///< keys of the records as drawn
  std::vector<std::pair<std::size_t, std::string>> reasons_;  ///< reasons of the failed records, by row
  std::vector<std::string> columns_;
  bool are_mol_blocks_ = false;
};

}  // namespace molgauge::verbs
