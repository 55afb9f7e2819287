#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "molecule_sets.h"
#include "rows_of_table.h"
#include "workplace.h"

namespace molgauge::test {

/// The cells of a row by column.
using Cells = std::map<std::string, std::string>;
/// The rows of domain.csv by the column `id`.
using Answers = std::map<std::string, Cells>;

Answers answers_in(const std::string& csv);

/// A line of a table with candidates or training molecules.
struct Listed {
  std::string id, smiles, value, prediction;
};
std::vector<Listed> listed(const MoleculeSet& set, const std::string& prefix);
/// The text of a table with the columns id, smiles, y and y_pred, separated by `separator`.
std::string table_of(const std::vector<Listed>& rows, char separator = ',');

/// A prediction for the molecule: its value plus an error that depends only on `number`. For classes, it is a
/// probability.
std::string made_prediction(const std::string& value, std::size_t number, bool is_class);

/// Collects differences, and reports all of them in one message.
class Differences {
 public:
  /// Compares all answers about one candidate. `learned_and_chiral`: see When::learned_features.
  void compare(Change change, const Cells& expected, const Cells& found, const std::string& what,
               bool learned_and_chiral = false);
  /// Compares all answers about all candidates in `found`. Expects them in `expected`.
  void compare(Change change, const Answers& expected, const Answers& found);
  /// Expects that there is no difference, and at least `minimum` comparisons.
  void expect_none(const std::string& where, std::size_t minimum) const;
  std::size_t compared() const { return compared_; }

 private:
  struct Found {
    std::size_t rows = 0;
    std::string examples;
  };
  std::size_t compared_ = 0, differing_ = 0;
  std::map<Change, Found> found_;
  std::set<std::string> unknown_columns_;
};

/// A folder in which `molgauge domain` runs. The store is shared by all calls.
class DomainPlace {
 public:
  /// Calls `molgauge domain` and returns the answers. `words`: training set, candidates and options.
  Answers judge(std::vector<std::string> words, const CommandOptions& options = {});
  Outcome call(std::vector<std::string> words, const CommandOptions& options = {});
  Workplace& files() { return place_; }
  std::string path(const std::string& name) const { return place_.path(name); }
  void use_store(const std::string& name) { store_ = name; }
  /// Options for the encoder minimol with the weights of $MOLGAUGE_TEST_WEIGHTS, or an empty list.
  std::vector<std::string> minimol();

 private:
  Workplace place_;
  std::string store_ = "store";
};

/// Whether MOLGAUGE_METAMORPHIC=long requests the long version of the suite.
bool is_long();

}  // namespace molgauge::test
