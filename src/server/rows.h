#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "molgauge/evaluate.h"
#include "molgauge/in_memory.h"
#include "server/molecule_lists.h"

/// The rows of a result in JSON, as in the API (src/server/openapi.json).
namespace molgauge::serve {

using Json = nlohmann::ordered_json;

/// `calibration`: the calibration that judged the predictions. It is null if the list contains only
/// molecules.
Json row_of(const JudgedMolecule& molecule, const ListedMolecule& listed, std::size_t row,
            const StoredCalibration* calibration);

/// The rows of a report. The row of a failed molecule contains the reason.
class ScoredRows {
 public:
  explicit ScoredRows(const ScoreReport& report);
  Json row(std::size_t number) const;

 private:
  const ScoreReport& report_;
  std::map<std::size_t, std::string> reasons_;
};

/// A domain.csv and its optional columns.
struct DomainTable {
  std::filesystem::path csv;
  std::string smiles_column;
  bool has_predictions = false;             ///< whether it has columns about judged predictions
  bool has_properties = false;              ///< whether it has the columns of `describe`
  std::vector<std::string> predicted = {};  ///< columns with predictions of the model of the domain
};

/// Calls visit(row) for every row of a domain.csv. Throws InputError if the file is not a domain.csv.
void for_each_row(const DomainTable& table, const std::function<void(const Json& row)>& visit);

/// Returns the properties of a molecule, with lists of names for alerts, or null.
Json properties_json(const std::optional<MoleculeProperties>& properties);
/// Returns the same from the cells of a CSV file. `cell`: returns the cell of a column.
Json properties_json(const std::function<std::string(const char* column)>& cell);

/// The number, or null if it is not finite.
Json number_or_null(double number);

/// The number of rows with each verdict.
class VerdictCounts {
 public:
  void add(const Json& row) { ++counts_[row.at("verdict").get<std::string>()]; }
  Json json() const;

 private:
  std::map<std::string, std::size_t> counts_;
};

}  // namespace molgauge::serve
