#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "molecules/chem/record.h"
#include "molecules/encoding/pipeline/row_table.h"
#include "molecules/encoding/session/encoding_session.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molecules/verbs/predict/stored_predictions.h"

namespace molgauge::verbs {

/// Forms of the molecules that are predicted in addition to the molecules of the input, for example other
/// SMILES of them.
struct OtherForms {
  std::string name;            ///< plural, for messages, for example "other spellings"
  bool are_parents = false;    ///< if false, they are other spellings
  std::size_t per_record = 1;  ///< number of forms of each record that has any
  session::MoleculeList list;  ///< estimated sizes of all forms. If it has no records, there are no forms
  /// Bytes that are in use while the forms are encoded, in addition to the encoding.
  std::uint64_t bytes_beside = 0;
  /// Returns the `per_record` forms of a record, or nothing. Throws InvalidMolecule if RDKit cannot make
  /// them. The record then has no forms. Several threads call it at once.
  std::function<std::vector<chem::MoleculeRecord>(const chem::MoleculeRecord&)> make;
};

/// Returns the estimated sizes of the forms. `may_have`: whether a record may have forms, decided from its
/// text alone.
session::MoleculeList list_forms(const pipeline::MoleculeSource& source, std::size_t per_record,
                                 const std::function<bool(const chem::MoleculeRecord&)>& may_have);

/// Returns the bytes that are in use while forms are made, in addition to their encoding: the keys of all
/// `records` of the input, and the forms that were made ahead. `longer_by`: upper limit of the length of a
/// form, relative to the text of its record.
std::uint64_t bytes_beside_forms(const OtherForms& forms, std::uint64_t longer_by, std::size_t records,
                                 std::size_t threads);

/// Forms in the feature store.
struct EncodedForms {
  std::size_t per_record = 1;
  std::vector<bool> has_forms;  ///< [records] whether the record has other forms
  /// Keys of `per_record` rows for each record with other forms, in the order of the records.
  pipeline::EncodeOutcome outcome;

  bool has(std::size_t record) const { return record < has_forms.size() && has_forms[record]; }
};

/// Makes and encodes the forms. `source`: the records of the input. `failed`: whether each record failed.
/// Failed records have no forms.
EncodedForms encode_forms(session::EncodingSession& session, pipeline::MoleculeSource source,
                          const std::vector<bool>& failed, OtherForms forms, std::size_t threads);

/// Reads the predictions for the forms, record by record.
class FormPredictions {
 public:
  /// All arguments must outlive the object.
  FormPredictions(pipeline::RowTable& rows, const EncodedForms& encoded,
                  const encoders::chemprop::ChempropEncoder& encoder,
                  const encoders::chemprop::ModelSet& set);

  /// Returns the predictions for the forms of the next record that has any, row by row. Leaves out forms that
  /// failed. `descriptors`: the descriptors of the record. Throws Error if the store lacks a row.
  std::span<const float> next(std::span<const double> descriptors);

 private:
  pipeline::RowTable& table_;
  const EncodedForms& encoded_;
  std::vector<bool> failed_;
  Heads heads_;
  std::size_t next_ = 0, absent_ = 0;
  std::vector<float> rows_, present_;
};

}  // namespace molgauge::verbs
