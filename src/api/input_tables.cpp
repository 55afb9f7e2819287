#include "api/input_tables.h"

#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/arrow_stream.h"
#include "base/core/error.h"
#include "base/core/text/nearest_name.h"

namespace molgauge::arrow {
namespace {

std::vector<std::string> plain_texts(InputColumn& column, const InputTable& table) {
  if (!column.is_text && table.rows > 0) {
    throw UsageError(
        fmt::format("the column '{}' contains numbers, but text is expected. Pass text", column.name));
  }
  std::vector<std::string> texts;
  texts.reserve(column.texts.size());
  for (auto& text : column.texts) {
    if (text && text->find('\0') != std::string::npos) {
      throw UsageError(fmt::format("row {} of the column '{}' has a NUL character after '{}'. Remove it",
                                   texts.size(), column.name, text->c_str()));
    }
    texts.push_back(std::move(text).value_or(""));
  }
  return texts;
}

InputColumn* find(InputTable& table, const std::string& name) {
  for (InputColumn& column : table.columns) {
    if (column.name == name) {
      return &column;
    }
  }
  return nullptr;
}

InputColumn& smiles_column(InputTable& table) {
  if (table.columns.size() == 1 && find(table, "smiles") == nullptr) {
    return table.columns.front();
  }
  if (InputColumn* const column = find(table, "smiles")) {
    return *column;
  }
  std::vector<std::string> names;
  for (const InputColumn& column : table.columns) {
    names.push_back(column.name);
  }
  throw UsageError(
      fmt::format("the table of molecules has no column 'smiles'. The columns are: {}. Rename one "
                  "of them, or pass the column with the SMILES alone",
                  fmt::join(names, ", ")));
}

std::vector<std::size_t> atoms_in(std::string_view text) {
  std::vector<std::size_t> atoms;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    if (*at == ' ') {
      ++at;
      continue;
    }
    std::size_t atom = 0;
    const auto [next, error] = std::from_chars(at, end, atom);
    if (error != std::errc()) {
      throw UsageError(
          fmt::format("'{}' in the column 'atoms' is not a list of atoms. Pass numbers from 0, "
                      "separated by spaces",
                      text));
    }
    atoms.push_back(atom);
    at = next;
  }
  return atoms;
}

}  // namespace

MoleculeTable read_molecules(ArrowArrayStream* stream, const std::string& labels) {
  InputTable table = read_stream(stream);
  MoleculeTable molecules;
  InputColumn& smiles = smiles_column(table);
  molecules.smiles = plain_texts(smiles, table);
  for (InputColumn& column : table.columns) {
    if (&column == &smiles) {
      continue;
    }
    if (column.name == "name") {
      molecules.names = plain_texts(column, table);
    } else if (!column.is_text) {
      molecules.numbers.push_back({column.name, std::move(column.numbers)});
    } else if (column.name == labels) {
      molecules.texts.push_back({column.name, plain_texts(column, table)});
    } else {
      throw UsageError(fmt::format("the text column '{}' has no effect. Leave it out", column.name));
    }
  }
  return molecules;
}

DrawnMolecules read_drawn_molecules(ArrowArrayStream* stream) {
  InputTable table = read_stream(stream);
  DrawnMolecules drawn;
  InputColumn& smiles = smiles_column(table);
  drawn.smiles = plain_texts(smiles, table);
  drawn.atoms.resize(drawn.smiles.size());
  for (InputColumn& column : table.columns) {
    if (column.name == "atoms") {
      const std::vector<std::string> lists = plain_texts(column, table);
      for (std::size_t i = 0; i < lists.size(); ++i) {
        drawn.atoms[i] = atoms_in(lists[i]);
      }
    } else if (&column != &smiles) {
      throw UsageError(fmt::format("the column '{}' has no effect. Leave it out", column.name));
    }
  }
  return drawn;
}

std::vector<InMemoryPrediction> predictions_in(const MoleculeTable& table, const std::string& value,
                                               const std::string& uncertainty, const std::string& lower,
                                               const std::string& upper) {
  std::vector<InMemoryPrediction> predictions(table.smiles.size());
  const auto take = [&](const std::string& wanted, double InMemoryPrediction::*member) {
    if (wanted.empty()) {
      return;
    }
    std::vector<std::string> names;
    for (const MoleculeTable::Numbers& numbers : table.numbers) {
      names.push_back(numbers.name);
      if (numbers.name == wanted) {
        for (std::size_t i = 0; i < predictions.size(); ++i) {
          predictions[i].*member = numbers.values[i];
        }
        return;
      }
    }
    throw UsageError(
        fmt::format("the table of molecules has no column of numbers '{}'. The columns are: {}{}", wanted,
                    fmt::join(names, ", "), did_you_mean(wanted, names)));
  };
  take(value, &InMemoryPrediction::value);
  take(uncertainty, &InMemoryPrediction::uncertainty);
  take(lower, &InMemoryPrediction::lower);
  take(upper, &InMemoryPrediction::upper);
  return predictions;
}

}  // namespace molgauge::arrow
