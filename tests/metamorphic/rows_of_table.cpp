#include "rows_of_table.h"

#include <algorithm>

namespace molgauge::test {
namespace {

constexpr std::string_view kAllDrawings = "any other drawing";

std::string row_of(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) {
    line += " " + cell + " |";
  }
  return line;
}

std::string text_of(Equality equality) {
  switch (equality) {
    case Equality::text:
      return "to the bit";
    case Equality::number:
      return "to 1e-4";
    case Equality::atom_count:
      return "the number of atoms";
  }
  return "";
}

}  // namespace

const std::vector<ChangeRow>& change_rows() {
  static const std::vector<ChangeRow> rows = {
      {Change::atom_order, "order of the atoms", "`OCC` for `CCO`"},
      {Change::kekule_form, "Kekulé form", "`C1=CC=CC=C1` for `c1ccccc1`"},
      {Change::explicit_hydrogens, "explicit hydrogens", "`[H]OC`, `[CH3][OH]` for `CO`"},
      {Change::functional_group, "functional groups",
       "`CN(=O)=O` for `C[N+](=O)[O-]`, `C[S+](C)[O-]` for `CS(C)=O`"},
      {Change::mol_block, "mol block", "an SDF file with 2D coordinates"},
      {Change::atom_map, "atom-map numbers", "`[CH3:1][OH:2]` for `CO`"},
      {Change::isotope, "isotope labels", "`[13CH3]O`, `[2H]C([2H])([2H])O` for `CO`"},
      {Change::hydrochloride, "hydrochloride", "`CCN.Cl`, `CC[NH3+].[Cl-]` for `CCN`"},
      {Change::organic_salt, "trifluoroacetate", "`CC[NH3+].[O-]C(=O)C(F)(F)F` for `CCN`"},
      {Change::sodium_salt, "sodium or calcium salt", "`CCC(=O)[O-].[Na+]` for `CCC(=O)O`"},
      {Change::charge_state, "charge state", "`CC[NH3+]` for `CCN`, `CCC(=O)[O-]` for `CCC(=O)O`"},
      {Change::solvate, "hydrate", "`CCN.O` for `CCN`"},
      {Change::combined, "several of these changes at once", "`[Br-].[13CH3:1][CH2:2][NH3+:3].O` for `CCN`"},
      {Change::tautomer, "tautomer", "`O=c1cccc[nH]1` for `Oc1ccccn1`"},
      {Change::candidate_order, "order of the candidates", "the same list in another order"},
      {Change::other_candidates, "other candidates", "candidates added or removed"},
      {Change::training_order, "order of the training molecules", "the same training set in another order"},
      {Change::repeated_training, "repeated training molecules",
       "the same training molecules again, in other drawings"},
      {Change::threads, "number of threads", "`--threads 1`, `--threads 3`"},
      {Change::memory_budget, "memory budget", "`--memory-budget 1GiB`"},
      {Change::full_store, "feature store", "an empty store, a store with all features"},
      {Change::resumed_run, "repeated or resumed run", "`kill -9`, and the same command again"},
      {Change::saved_domain, "saved domain", "`--save`, and the folder as the training set"},
      {Change::file_format, "file format", ".csv, .tsv, .smi, .sdf, each also with gzip"},
      {Change::interface, "interface", "command line, C API, Python, server"},
  };
  return rows;
}

std::string_view name_of(Change change) {
  const auto& rows = change_rows();
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const ChangeRow& row) { return row.change == change; });
  return found == rows.end() ? "none" : found->name;
}

const std::vector<AnswerRow>& answer_rows() {
  constexpr Equality text = Equality::text, number = Equality::number, atoms = Equality::atom_count;
  static const std::vector<AnswerRow> rows = {
      {"verdict", {"domain"}, text, text},
      {"reason", {"domain_reason"}, text, text},
      {"p-value", {"domain_p_value"}, number, text},
      {"p-value for new scaffolds", {"domain_p_new_scaffold"}, number, text},
      {"p-value of the ranges", {"domain_p_range"}, number, text},
      {"decision", {"decision", "decision_reason"}, text, text},
      {"q-value", {"domain_q_value"}, number, text},
      {"distance", {"domain_distance", "domain_percentile"}, number, text},
      {"expected error at the distance", {"domain_expected_error"}, number, number},
      {"match with a training molecule",
       {"in_training", "training_match_name", "training_match_smiles"},
       text,
       text},
      {"kind of match", {"training_match"}, text, text},
      {"nearest training molecules", {"nearest_1_*", "nearest_2_*", "nearest_3_*"}, number, text},
      {"parent and scaffold", {"standardized_smiles", "scaffold", "scaffold_in_training"}, text, text},
      {"unfamiliar atoms", {"foreign_atoms"}, atoms, text},
      {"unfamiliar parts and properties",
       {"foreign_elements", "foreign_rings", "foreign_size", "foreign_log_p", "foreign_charge"},
       text,
       text},
      {"prediction", {"predicted_*"}, number, text},
      {"interval or set",
       {"prediction_lower", "prediction_upper", "prediction_set", "probability_lower", "probability_upper"},
       number,
       number},
      {"expected error of a prediction", {"prediction_expected_error"}, number, number},
      {"conditions of the coverage", {"prediction_conditions_met", "prediction_reason"}, text, text},
      {"reason for doubt", {"prediction_doubt"}, text, text},
  };
  return rows;
}

const std::vector<ExceptionRow>& exception_rows() {
  static const std::vector<ExceptionRow> rows = {
      {{},
       "",
       When::never_drawn,
       "salt or hydrate of a metal complex, of an inorganic molecule, or of a molecule that is itself a "
       "common "
       "counter-ion or solvent",
       "all answers",
       "The drawing does not say which fragment is the molecule "
       "([rules](standardisation.md#rules))."},
      {{},
       "",
       When::never_drawn,
       "charge state of a molecule with another charge, such as a betaine",
       "all answers",
       "Molgauge neutralises charges only with hydrogens ([limits](standardisation.md#limits))."},
      {{Change::tautomer},
       "",
       When::never_drawn,
       "tautomer, with `--standardize parent`",
       "all answers",
       "Two tautomers are two molecules. With `--standardize tautomer`, they are one molecule if RDKit finds "
       "the same canonical tautomer."},
      {{},
       "",
       When::never_drawn,
       "any other drawing that RDKit reads as another molecule",
       "all answers",
       "RDKit reads some SMILES of macrocycles with several double bonds as other stereoisomers."},
      {{},
       "kind of match",
       When::always,
       kAllDrawings,
       "kind of match",
       "`training_match` states how the two drawings differ: `same` or `same parent`."},
      {{Change::training_order},
       "",
       When::never_drawn,
       "order of the training molecules, if a molecule occurs several times",
       "name and drawing of that training molecule",
       "Molgauge merges the repeated molecules. The merged molecule has the name and the drawing of the "
       "first."},
      {{Change::other_candidates},
       "q-value",
       When::always,
       "other candidates",
       "q-value",
       "The q-value corrects the p-value for the number of candidates."},
      {{},
       "",
       When::learned_features,
       "any other drawing of a chiral molecule that is already standard, with a chemprop model",
       "all answers that depend on the model",
       "chemprop uses RDKit's chirality tags, which depend on the order of the atoms. Molgauge predicts the "
       "SMILES of a standard molecule as written. The prediction therefore equals the prediction of "
       "chemprop."},
  };
  return rows;
}

bool is_excepted(Change change, std::string_view answer, bool learned_and_chiral) {
  const auto& rows = exception_rows();
  return std::any_of(rows.begin(), rows.end(), [&](const ExceptionRow& row) {
    const bool is_change =
        row.changes.empty() ? is_drawing(change)
                            : std::find(row.changes.begin(), row.changes.end(), change) != row.changes.end();
    return is_change && (row.answer.empty() || row.answer == answer) &&
           (row.when == When::always || (row.when == When::learned_features && learned_and_chiral));
  });
}

std::vector<std::string> change_lines() {
  std::vector<std::string> lines;
  for (const ChangeRow& row : change_rows()) {
    lines.push_back(row_of({std::string(row.name), std::string(row.example)}));
  }
  return lines;
}

std::vector<std::string> answer_lines() {
  std::vector<std::string> lines;
  for (const AnswerRow& row : answer_rows()) {
    std::string columns;
    for (const std::string_view column : row.columns) {
      columns += (columns.empty() ? "`" : ", `") + std::string(column) + "`";
    }
    lines.push_back(row_of({std::string(row.name), columns, text_of(row.of_drawings), text_of(row.of_runs)}));
  }
  return lines;
}

std::vector<std::string> exception_lines() {
  std::vector<std::string> lines;
  for (const ExceptionRow& row : exception_rows()) {
    lines.push_back(
        row_of({std::string(row.change_text), std::string(row.answer_text), std::string(row.reason)}));
  }
  return lines;
}

}  // namespace molgauge::test
