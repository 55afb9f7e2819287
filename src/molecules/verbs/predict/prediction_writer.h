#pragma once

#include <string>
#include <vector>

#include "molecules/encoding/session/molecule_input.h"
#include "molecules/verbs/describe/result_table.h"
#include "molecules/verbs/predict/descriptor_columns.h"
#include "molecules/verbs/predict/predict_call.h"
#include "molecules/verbs/predict/prediction_table.h"
#include "molgauge/predict.h"

namespace molgauge::verbs {

/// Writes the predictions while the input is read again.
class PredictionWriter {
 public:
  /// `input`: the file of molecules. `columns`: columns of the input, which are known after it was read for
  /// the first time. `marks_parents`: whether the last column marks rows whose parent has another prediction.
  PredictionWriter(const PredictRequest& request, const std::string& input,
                   const std::vector<std::string>& columns, const encoders::chemprop::ModelSet& set,
                   bool marks_parents);

  const PredictionTable& predictions() const { return predictions_; }

  void write(PredictCall& call, const DescriptorSource& descriptors);

 private:
  std::vector<std::string> input_columns(const std::vector<std::string>& columns) const;
  std::vector<std::string> header() const;
  void append(const PredictedRow& row, PredictCall& call);
  /// Writes the rows that wait for their properties.
  void write_described();

  std::string shown_;                ///< name of the input in messages
  std::vector<std::string> fields_;  ///< fields of the current record
  session::MoleculeTable table_;
  std::vector<std::string> input_columns_;
  bool marks_parents_, describes_;
  std::size_t threads_;
  PredictionTable predictions_;
  ResultTable file_;
  std::vector<std::vector<std::string>> waiting_;  ///< rows without properties
  std::vector<chem::MoleculeRecord> records_;      ///< records of these rows
};

}  // namespace molgauge::verbs
