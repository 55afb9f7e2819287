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

/// Encodes and describes the training molecules of a request. Molecules that fail are appended to `failed`;
/// of molecules with one canonical SMILES the first is kept. Throws InputError on a label that is no number.
domain::TrainingSet read_training(const DomainRequest& request, EncodingSession& session, std::size_t threads,
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
  /// Encodes those of `path`, which is a file. `shown`: its name in messages.
  CandidateList(const DomainRequest& request, std::string path, std::string shown, EncodingSession& session,
                pipeline::FailureLog& failed);

  std::size_t size() const { return keys_.size(); }
  /// Of all records and their order.
  Hash128 fingerprint() const;

  /// Calls visit(number of the block, records) for blocks of `count` records.
  using Visit = std::function<void(std::size_t block, std::vector<CandidateRow>& rows)>;
  void for_each_block(std::size_t count, const Visit& visit);
  /// Of the rows of a block: what the judge reads. `first`: the number of the first.
  std::vector<domain::JudgedRecord> judged(std::size_t first, const std::vector<CandidateRow>& rows);

  /// After for_each_block(): the columns that the input has.
  const std::vector<std::string>& columns() const { return columns_; }

 private:
  const DomainRequest& request_;
  std::string path_, shown_;
  EncodingSession& session_;
  std::vector<Hash128> keys_;
  std::vector<std::pair<std::size_t, std::string>> reasons_;  ///< of the records that failed, by row
  std::vector<std::string> columns_;
};

}  // namespace headroom::session
