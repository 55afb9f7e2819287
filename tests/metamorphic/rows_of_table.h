#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace molgauge::test {

/// A change that must not change an answer. A row of the first table in docs/explanation/invariance.md.
enum class Change {
  none,
  // other drawings of a molecule
  atom_order,
  kekule_form,
  explicit_hydrogens,
  functional_group,
  mol_block,
  atom_map,
  isotope,
  hydrochloride,
  organic_salt,
  sodium_salt,
  charge_state,
  solvate,
  combined,
  tautomer,  ///< the last drawing
  // other lists, files and runs
  candidate_order,
  other_candidates,
  training_order,
  repeated_training,
  threads,
  memory_budget,
  full_store,
  resumed_run,
  saved_domain,
  file_format,
  interface,
};

struct ChangeRow {
  Change change;
  std::string_view name, example;
};
const std::vector<ChangeRow>& change_rows();
std::string_view name_of(Change change);
inline bool is_drawing(Change change) { return change <= Change::tautomer; }

/// How two answers are compared.
enum class Equality {
  text,       ///< the cells are identical
  number,     ///< the numbers differ by at most 1e-4
  atom_count  ///< the cells list equally many atoms
};

/// An answer of `molgauge domain`. A row of the second table.
struct AnswerRow {
  std::string_view name;
  std::vector<std::string_view>
      columns;           ///< columns of domain.csv. "x*" stands for all columns that begin with x
  Equality of_drawings;  ///< for another drawing of the molecule
  Equality of_runs;      ///< for another list, file or run
};
const std::vector<AnswerRow>& answer_rows();

/// The circumstances in which an exception applies.
enum class When {
  always,
  never_drawn,       ///< the tests do not draw these molecules or compare these modes
  learned_features,  ///< with --model, for a chiral molecule that is used as written
};

/// A change that may change an answer. A row of the third table.
struct ExceptionRow {
  std::vector<Change> changes;  ///< empty: all drawings
  std::string_view answer;      ///< name of an AnswerRow. Empty: all answers
  When when;
  std::string_view change_text, answer_text, reason;
};
const std::vector<ExceptionRow>& exception_rows();

bool is_excepted(Change change, std::string_view answer, bool learned_and_chiral);

/// The three tables as lines of Markdown.
std::vector<std::string> change_lines();
std::vector<std::string> answer_lines();
std::vector<std::string> exception_lines();

}  // namespace molgauge::test
