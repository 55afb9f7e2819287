#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "domain/judge.h"
#include "domain/training_set.h"
#include "headroom/domain.h"
#include "pipeline/failure_log.h"
#include "session/encoding/encoding_session.h"

namespace headroom::session {

/// Throws InputError where the encoder does not give the features that the domain was made with. `folder`: of
/// the domain, for the message.
void require_same_features(const domain::SavedDomain& saved, const std::string& folder,
                           const encoders::Encoder& encoder);

/// Encodes and describes the training molecules of a request. `molecules`: what is known of them. Those that
/// fail are appended to `failed`; of molecules with one canonical SMILES the first is kept. Throws InputError
/// on a label that is no number.
domain::TrainingSet read_training(const DomainRequest& request, MoleculeList molecules,
                                  EncodingSession& session, std::size_t threads,
                                  pipeline::FailureLog& failed);

/// What a command that reads an input several times reads: the input itself where it is a file, else a copy
/// in `folder`.
std::string reread_input(const std::string& input, const std::filesystem::path& folder);

/// A record of the candidates, as it stands in the input.
struct CandidateRow {
  chem::MoleculeRecord record;
  std::vector<std::string> fields;  ///< of the columns of the input
};

/// The candidates, encoded, to be gone through more than once.
class CandidateList {
 public:
  /// Encodes those of `path`, which is a file. `shown`: its name in messages. `molecules`: what is known of
  /// them.
  CandidateList(const DomainRequest& request, std::string path, std::string shown, MoleculeList molecules,
                EncodingSession& session, pipeline::FailureLog& failed);

  std::size_t size() const { return keys_.size(); }
  /// Of all records and their order.
  Hash128 fingerprint() const;

  /// Calls visit(number of the block, records) for blocks of `count` records.
  using Visit = std::function<void(std::size_t block, std::vector<CandidateRow>& rows)>;
  void for_each_block(std::size_t count, const Visit& visit);
  /// Of the rows of a block: what the judge reads. `first`: the number of the first.
  std::vector<domain::JudgedRecord> judged(std::size_t first, const std::vector<CandidateRow>& rows);

  // After for_each_block():
  /// The columns that the input has.
  const std::vector<std::string>& columns() const { return columns_; }
  /// Whether the input is an .sdf, whose records are no SMILES.
  bool are_mol_blocks() const { return are_mol_blocks_; }
  /// What the input calls the molecule: its name or id, else the number of its line.
  std::string name_of(const CandidateRow& row) const;

 private:
  const DomainRequest& request_;
  std::string path_, shown_;
  EncodingSession& session_;
  std::vector<Hash128> keys_;
  std::vector<std::pair<std::size_t, std::string>> reasons_;  ///< of the records that failed, by row
  std::vector<std::string> columns_;
  bool are_mol_blocks_ = false;
};

}  // namespace headroom::session
