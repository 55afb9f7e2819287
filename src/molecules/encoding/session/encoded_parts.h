#pragma once

#include <string>
#include <vector>

#include "molecules/datasets/ood_benchmark.h"
#include "molecules/encoding/session/encoding_session.h"

namespace molgauge::session {

/// Encodes several parts of a benchmark at once. Appends failed records to `failed`. If all records of a part
/// failed, throws InputError that names the part.
class PartEncoder {
 public:
  /// `file`: the path of the benchmark, for messages.
  PartEncoder(EncodingSession& session, std::string file) : session_(session), file_(std::move(file)) {}

  /// `name`: name of the part, for messages.
  void add(std::string name, const std::vector<datasets::BenchmarkMolecule>& molecules) {
    add(std::move(name), molecules, file_);
  }
  /// Adds molecules that come from `file` instead of the file of the benchmark.
  void add(std::string name, const std::vector<datasets::BenchmarkMolecule>& molecules,
           const std::string& file);

  /// Declares the memory that encode_keys() will need. Call it if other work runs before encode_keys().
  void declare_requirement() { session_.declare_requirement(list_molecules(records_)); }

  /// The molecules from one call of add(), without the molecules that failed.
  struct Encoded {
    std::vector<Hash128> keys;
    std::vector<std::size_t> places;  ///< position of each molecule in the added list
    std::vector<std::string> smiles;
  };

  /// Encodes all molecules that are not in the store. Returns one result for each call of add(), in the same
  /// order.
  std::vector<Encoded> encode_keys(pipeline::FailureLog& failed);

  /// Encodes the molecules of each call of add() and returns their features: float32 [molecules that did not
  /// fail, width], on the CPU.
  std::vector<ops::Floats> encode(pipeline::FailureLog& failed);

 private:
  EncodingSession& session_;
  std::string file_;
  std::vector<std::string> names_, files_;  ///< names of the parts, and their files
  std::vector<std::size_t> ends_;           ///< end of each part in records_
  std::vector<chem::MoleculeRecord> records_;
};

}  // namespace molgauge::session
