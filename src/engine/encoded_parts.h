#pragma once

#include <string>
#include <vector>

#include "datasets/ood_benchmark.h"
#include "engine/encoding_session.h"

namespace headroom::verbs {

/// Encodes several parts of a benchmark in one go. What failed is appended to `failed`. Throws InputError
/// naming the part when nothing of it is left.
class PartEncoder {
 public:
  /// `file`: the benchmark, for messages.
  PartEncoder(EncodingSession& session, std::string file) : session_(session), file_(std::move(file)) {}

  /// `name`: of the part, for messages.
  void add(std::string name, const std::vector<datasets::BenchmarkMolecule>& molecules);

  /// Sees to it that everything is in the store. One list for each add(), in their order: the keys of the
  /// molecules that did not fail.
  std::vector<std::vector<Hash128>> encode_keys(std::vector<FailedMolecule>& failed);

  /// The same, as features: float32 [molecules that did not fail, width], on the CPU.
  std::vector<at::Tensor> encode(std::vector<FailedMolecule>& failed);

  /// Texts of the molecules that did not fail, a list for each add(); filled by encode() and encode_keys().
  const std::vector<std::vector<std::string>>& smiles() const { return smiles_; }

 private:
  EncodingSession& session_;
  std::string file_;
  std::vector<std::string> names_;
  std::vector<std::size_t> ends_;  ///< of each part in records_
  std::vector<chem::MoleculeRecord> records_;
  std::vector<std::vector<std::string>> smiles_;
};

}  // namespace headroom::verbs
