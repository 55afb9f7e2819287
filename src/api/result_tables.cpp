#include "api/result_tables.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "molecules/verbs/describe/property_columns.h"

namespace molgauge::arrow {
namespace {

using Texts = std::vector<std::optional<std::string_view>>;

/// Returns null for an empty text, because an empty cell in a file stands for a missing value.
std::optional<std::string_view> text_or_null(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

/// Returns the values of `get` for all items.
template <typename Items, typename Get>
auto values(const Items& items, const Get& get) {
  std::vector<decltype(get(*items.begin()))> all;
  all.reserve(items.size());
  for (const auto& item : items) {
    all.push_back(get(item));
  }
  return all;
}

/// Makes a column of the texts that `get` returns. `get` may return a reference or a value.
template <typename Items, typename Get>
Column texts(std::string name, const Items& items, const Get& get,
             Column (*make)(std::string, std::span<const std::optional<std::string_view>>) = text) {
  const std::vector<std::string> own =
      values(items, [&](const auto& item) { return std::string(get(item)); });
  Texts views;
  views.reserve(own.size());
  for (const std::string& one : own) {
    views.push_back(text_or_null(one));
  }
  return make(std::move(name), views);
}

std::vector<Column> input_columns(const MoleculeTable& molecules) {
  // The texts of the caller are returned unchanged, so empty texts do not become nulls here.
  const Texts smiles =
      values(molecules.smiles, [](const std::string& text) { return std::optional<std::string_view>(text); });
  std::vector<Column> columns = {text("smiles", smiles)};
  if (!molecules.names.empty()) {
    columns.push_back(texts("name", molecules.names, [](const std::string& name) { return name; }));
  }
  return columns;
}

using Neighbour = JudgedMolecule::Neighbour;

/// Returns neighbour number `place`, counted from 0, of each molecule. The pointer is null if the molecule
/// has fewer neighbours.
std::vector<const Neighbour*> neighbours(const std::vector<JudgedMolecule>& molecules, std::size_t place) {
  return values(molecules, [&](const JudgedMolecule& molecule) {
    return place < molecule.nearest.size() ? &molecule.nearest[place] : nullptr;
  });
}

double number_or_nan(const Neighbour* neighbour, double Neighbour::*member) {
  return neighbour == nullptr ? std::numeric_limits<double>::quiet_NaN() : neighbour->*member;
}

void add_neighbours(const JudgedList& judged, std::vector<Column>& columns) {
  constexpr std::size_t kShown = 3;
  for (std::size_t place = 0; place < kShown; ++place) {
    const std::vector<const Neighbour*> found = neighbours(judged.molecules, place);
    const std::string prefix = fmt::format("nearest_{}_", place + 1);
    const auto add_text = [&](const char* name, std::string Neighbour::*member) {
      columns.push_back(texts(prefix + name, found, [&](const Neighbour* neighbour) {
        return neighbour == nullptr ? std::string() : neighbour->*member;
      }));
    };
    const auto add_number = [&](const char* name, double Neighbour::*member) {
      columns.push_back(numbers(prefix + name, values(found, [&](const Neighbour* neighbour) {
                                  return number_or_nan(neighbour, member);
                                })));
    };
    add_text("name", &Neighbour::name);
    add_text("smiles", &Neighbour::smiles);
    add_number("tanimoto", &Neighbour::tanimoto);
    add_number("distance", &Neighbour::distance);
    if (judged.has_values) {
      add_number("value", &Neighbour::value);
    }
  }
}

Column neighbour_lists(const JudgedList& judged) {
  std::vector<const Neighbour*> all;
  for (const JudgedMolecule& molecule : judged.molecules) {
    for (const Neighbour& neighbour : molecule.nearest) {
      all.push_back(&neighbour);
    }
  }
  const auto number = [&](const char* name, double Neighbour::*member) {
    return numbers(name, values(all, [&](const Neighbour* one) { return one->*member; }));
  };
  std::vector<Column> fields;
  fields.push_back(texts("name", all, [](const Neighbour* one) { return one->name; }));
  fields.push_back(texts("smiles", all, [](const Neighbour* one) { return one->smiles; }));
  fields.push_back(number("tanimoto", &Neighbour::tanimoto));
  fields.push_back(number("distance", &Neighbour::distance));
  fields.push_back(number("value", &Neighbour::value));
  const auto lengths =
      values(judged.molecules, [](const JudgedMolecule& molecule) { return molecule.nearest.size(); });
  return lists("nearest", lengths, std::move(fields));
}

void add_predictions(const std::vector<JudgedMolecule>& molecules, const StoredCalibration& calibration,
                     std::vector<Column>& columns) {
  const auto number = [&](const char* name, double JudgedPrediction::*member) {
    columns.push_back(numbers(name, values(molecules, [&](const JudgedMolecule& molecule) {
                                return molecule.prediction ? (*molecule.prediction).*member
                                                           : std::numeric_limits<double>::quiet_NaN();
                              })));
  };
  const auto text_of = [&](std::string JudgedPrediction::*member) {
    return [member](const JudgedMolecule& molecule) {
      return molecule.prediction ? (*molecule.prediction).*member : std::string();
    };
  };
  if (calibration.are_classes) {
    columns.push_back(texts("prediction_set", molecules, text_of(&JudgedPrediction::set), dictionary_text));
    number("probability_lower", &JudgedPrediction::probability_lower);
    number("probability_upper", &JudgedPrediction::probability_upper);
  } else {
    number("prediction_lower", &JudgedPrediction::lower);
    number("prediction_upper", &JudgedPrediction::upper);
  }
  number("prediction_expected_error", &JudgedPrediction::expected_error);
  columns.push_back(booleans(
      "prediction_conditions_met", values(molecules, [](const JudgedMolecule& molecule) {
        return molecule.prediction ? std::optional(molecule.prediction->meets_conditions) : std::nullopt;
      })));
  columns.push_back(
      texts("prediction_reason", molecules, text_of(&JudgedPrediction::reason), dictionary_text));
  columns.push_back(texts("prediction_doubt", molecules, text_of(&JudgedPrediction::doubt), dictionary_text));
}

/// Returns the number in a cell, or NaN if the cell does not contain a number.
double number_of(const std::string& cell) {
  double number = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  const bool is_number = error == std::errc() && end == cell.data() + cell.size();
  return is_number ? number : std::numeric_limits<double>::quiet_NaN();
}

Column scored_prediction(const ScoreReport& report, std::size_t place) {
  const std::string& name = report.prediction_columns[place];
  const auto cell = [&](const ScoredMolecule& molecule) {
    return place < molecule.prediction.size() ? molecule.prediction[place] : std::string();
  };
  if (name == "prediction_conditions_met") {
    return booleans(name, values(report.molecules, [&](const ScoredMolecule& molecule) {
                      const std::string own = cell(molecule);
                      return own.empty() ? std::nullopt : std::optional(own == "yes");
                    }));
  }
  if (name == "prediction_set" || name == "prediction_reason") {
    return texts(name, report.molecules, cell, dictionary_text);
  }
  return numbers(name, values(report.molecules,
                              [&](const ScoredMolecule& molecule) { return number_of(cell(molecule)); }));
}

/// Makes the column "reason", with the reasons of the failed molecules. `failed` must contain all failed
/// molecules.
Column reasons(std::span<const FailedMolecule> failed, std::size_t rows) {
  Texts of_rows(rows);
  for (const FailedMolecule& one : failed) {
    of_rows[one.row] = text_or_null(one.reason);
  }
  return text("reason", of_rows);
}

void add_properties(const std::vector<std::optional<MoleculeProperties>>& all, std::vector<Column>& columns) {
  for (const PropertyColumn& column : kPropertyColumns) {
    if (column.number != nullptr) {
      columns.push_back(numbers(column.name, values(all, [&](const auto& one) {
                                  return one ? (*one).*column.number
                                             : std::numeric_limits<double>::quiet_NaN();
                                })));
    } else if (column.count != nullptr) {
      columns.push_back(integers(column.name, values(all, [&](const auto& one) {
                                   return one ? std::optional((*one).*column.count) : std::nullopt;
                                 })));
    } else {
      columns.push_back(texts(column.name, all, [&](const auto& one) {
        return one ? verbs::property_text(column, *one) : std::string();
      }));
    }
  }
}

Column named(std::vector<Column> columns, std::size_t rows) {
  return structure("", static_cast<std::int64_t>(rows), std::move(columns));
}

}  // namespace

Column verdict_table(const MoleculeTable& molecules, const JudgedList& judged,
                     const StoredCalibration* calibration) {
  std::vector<Column> columns = input_columns(molecules);
  const std::vector<JudgedMolecule>& all = judged.molecules;
  const auto number = [&](const char* name, double JudgedMolecule::*member) {
    columns.push_back(numbers(name, values(all, [&](const JudgedMolecule& one) { return one.*member; })));
  };
  const auto add_text = [&](const char* name, std::string JudgedMolecule::*member) {
    columns.push_back(texts(name, all, [&](const JudgedMolecule& one) { return one.*member; }));
  };
  const auto flag = [&](const char* name, bool JudgedMolecule::*member) {
    columns.push_back(booleans(name, values(all, [&](const JudgedMolecule& one) {
                                 return one.verdict == Verdict::unreadable ? std::nullopt
                                                                           : std::optional(one.*member);
                               })));
  };
  const auto words = [&](const char* name, std::vector<std::string> JudgedMolecule::*member) {
    columns.push_back(texts(name, all, [&](const JudgedMolecule& one) {
      return fmt::format("{}", fmt::join(one.*member, " "));
    }));
  };
  columns.push_back(texts(
      "decision", all, [](const JudgedMolecule& one) { return to_string(one.decision); }, dictionary_text));
  columns.push_back(texts(
      "decision_reason", all, [](const JudgedMolecule& one) { return one.decision_reason; },
      dictionary_text));
  columns.push_back(texts(
      "domain", all, [](const JudgedMolecule& one) { return to_string(one.verdict); }, dictionary_text));
  number("domain_p_value", &JudgedMolecule::p_value);
  number("domain_q_value", &JudgedMolecule::q_value);
  number("domain_p_new_scaffold", &JudgedMolecule::p_new_scaffold);
  number("domain_p_range", &JudgedMolecule::p_range);
  number("domain_distance", &JudgedMolecule::distance);
  number("domain_percentile", &JudgedMolecule::percentile);
  if (judged.has_error_curve) {
    number("domain_expected_error", &JudgedMolecule::expected_error);
  }
  add_neighbours(judged, columns);
  flag("in_training", &JudgedMolecule::in_training);
  add_text("scaffold", &JudgedMolecule::scaffold);
  flag("scaffold_in_training", &JudgedMolecule::scaffold_in_training);
  columns.push_back(texts("foreign_atoms", all, [](const JudgedMolecule& one) {
    return fmt::format("{}", fmt::join(one.foreign_atoms, " "));
  }));
  words("foreign_elements", &JudgedMolecule::foreign_elements);
  words("foreign_rings", &JudgedMolecule::foreign_rings);
  add_text("foreign_size", &JudgedMolecule::foreign_size);
  add_text("foreign_log_p", &JudgedMolecule::foreign_log_p);
  add_text("foreign_charge", &JudgedMolecule::foreign_charge);
  add_text("standardized_smiles", &JudgedMolecule::standardized_smiles);
  columns.push_back(texts(
      "training_match", all, [](const JudgedMolecule& one) { return to_string(one.training_match); },
      dictionary_text));
  add_text("training_match_name", &JudgedMolecule::training_match_name);
  add_text("training_match_smiles", &JudgedMolecule::training_match_smiles);
  add_text("domain_reason", &JudgedMolecule::reason);
  if (calibration != nullptr) {
    add_predictions(all, *calibration, columns);
  }
  if (judged.has_properties) {
    add_properties(values(all, [](const JudgedMolecule& one) { return one.properties; }), columns);
  }
  columns.push_back(neighbour_lists(judged));
  return named(std::move(columns), all.size());
}

Column score_table(const MoleculeTable& molecules, const ScoreReport& report) {
  std::vector<Column> columns = input_columns(molecules);
  const auto number = [&](const char* name, auto ScoredMolecule::*member) {
    columns.push_back(numbers(name, values(report.molecules, [&](const ScoredMolecule& one) {
                                return static_cast<double>(one.*member);
                              })));
  };
  const auto flag = [&](const char* name, const auto& get) {
    columns.push_back(booleans(name, values(report.molecules, [&](const ScoredMolecule& one) {
                                 return std::isnan(one.score) ? std::optional<bool>() : get(one);
                               })));
  };
  number("score", &ScoredMolecule::score);
  number("deviation", &ScoredMolecule::deviation);
  number("disagreement", &ScoredMolecule::disagreement);
  if (report.is_domain) {
    number("domain_p_value", &ScoredMolecule::p_value);
    flag("in_training", [](const ScoredMolecule& one) { return std::optional(one.in_training); });
  }
  flag("ood_prediction", [&](const ScoredMolecule& one) {
    return !report.threshold
               ? std::nullopt
               : std::optional(!one.in_training && static_cast<double>(one.score) > *report.threshold);
  });
  number("resembles_training_ood", &ScoredMolecule::resembles_training_ood);
  for (std::size_t place = 0; place < report.prediction_columns.size(); ++place) {
    columns.push_back(scored_prediction(report, place));
  }
  columns.push_back(reasons(report.failed, report.molecules.size()));
  return named(std::move(columns), report.molecules.size());
}

Column prediction_table(const MoleculeTable& molecules, const PredictedList& predicted) {
  std::vector<Column> columns = input_columns(molecules);
  for (const MoleculeTable::Numbers& column : predicted.columns) {
    columns.push_back(numbers(column.name, column.values));
  }
  if (!predicted.parent_differs.empty()) {
    std::vector<std::optional<bool>> differs(predicted.parent_differs.begin(),
                                             predicted.parent_differs.end());
    for (const FailedMolecule& failed : predicted.report.failed) {
      differs[failed.row].reset();
    }
    columns.push_back(booleans("parent_prediction_differs", differs));
  }
  if (!predicted.properties.empty()) {
    add_properties(predicted.properties, columns);
  }
  columns.push_back(reasons(predicted.report.failed, molecules.smiles.size()));
  return named(std::move(columns), molecules.smiles.size());
}

namespace {

Column feature_rows(const EncodeReport& report, std::span<const float> rows) {
  std::vector<bool> is_valid(report.rows, true);
  for (const FailedMolecule& failed : report.failed) {
    is_valid[failed.row] = false;
  }
  return float_rows("features", rows, report.width, is_valid);
}

}  // namespace

Column feature_table(const EncodeReport& report, std::span<const float> rows) {
  std::vector<Column> columns;
  columns.push_back(feature_rows(report, rows));
  columns.push_back(reasons(report.failed, report.rows));
  return named(std::move(columns), report.rows);
}

Column atom_table(const EncodeReport& report, std::span<const float> rows, const AtomFeatures& atoms) {
  std::vector<Column> columns;
  columns.push_back(feature_rows(report, rows));
  columns.push_back(row_lists("atoms", atoms.counts, atoms.rows, report.width));
  columns.push_back(reasons(report.failed, report.rows));
  return named(std::move(columns), report.rows);
}

Column conformer_table(const std::vector<InMemoryConformer>& conformers) {
  std::vector<Column> columns;
  columns.push_back(
      texts("mol_block", conformers, [](const InMemoryConformer& one) { return one.mol_block; }));
  std::vector<const InMemoryConformer::Atom*> atoms;
  for (const InMemoryConformer& conformer : conformers) {
    for (const InMemoryConformer::Atom& atom : conformer.atoms) {
      atoms.push_back(&atom);
    }
  }
  using Atom = InMemoryConformer::Atom;
  const auto coordinate = [&](const char* name, double Atom::*member) {
    return numbers(name, values(atoms, [&](const Atom* atom) { return atom->*member; }));
  };
  std::vector<Column> fields;
  fields.push_back(texts(
      "symbol", atoms, [](const Atom* atom) { return atom->symbol; }, dictionary_text));
  fields.push_back(coordinate("x", &Atom::x));
  fields.push_back(coordinate("y", &Atom::y));
  fields.push_back(coordinate("z", &Atom::z));
  const auto counts = values(conformers, [](const InMemoryConformer& one) { return one.atoms.size(); });
  columns.push_back(lists("atoms", counts, std::move(fields)));
  columns.push_back(texts("reason", conformers, [](const InMemoryConformer& one) { return one.reason; }));
  return named(std::move(columns), conformers.size());
}

Column drawing_table(const std::vector<std::string>& drawings, const std::vector<std::string>& reasons) {
  std::vector<Column> columns;
  columns.push_back(texts("drawing", drawings, [](const std::string& drawing) { return drawing; }));
  columns.push_back(texts("reason", reasons, [](const std::string& reason) { return reason; }));
  return named(std::move(columns), drawings.size());
}

}  // namespace molgauge::arrow
