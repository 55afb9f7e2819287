#include "molecules/verbs/predict/descriptor_columns.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/files/watched_inputs.h"
#include "base/core/text/counted.h"
#include "molecules/encoding/session/required_columns.h"
#include "molecules/verbs/predict/computed_descriptors.h"

namespace molgauge::verbs {
namespace {

constexpr const char* kDescriptors = "--descriptor-columns";

std::vector<std::string> split_at_commas(const std::vector<std::string>& given) {
  std::vector<std::string> names;
  for (const std::string& text : given) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find(',', begin), text.size());
      names.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return names;
}

/// Returns a hint if the number of descriptors is the number of chemprop's RDKit features, or an empty text.
std::string words_for_rdkit_2d(std::size_t descriptors) {
  if (!rdkit_2d_of(descriptors)) {
    return "";
  }
  return fmt::format(
      ". If chemprop computed rdkit_2d features in the training, which are {} descriptors, use {} rdkit_2d",
      descriptors, kDescriptors);
}

/// Reads the columns of a file from its first record on.
class DescriptorReader {
 public:
  DescriptorReader(DescribedFile file, std::vector<std::string> names)
      : file_(std::move(file)), names_(std::move(names)) {
    io::MoleculeReaderOptions options;
    options.smiles_column = file_.smiles_column;
    options.extra_columns = names_;
    reader_ = io::open_molecules(file_.path, options);
  }

  /// Appends the numbers of the next record. Returns false at the end of the file.
  bool append_next(std::vector<double>& numbers) {
    auto row = reader_->next();
    if (!row) {
      return false;
    }
    row->record.file = file_.shown;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const double number = i < row->fields.size() ? session::number_in_cell(row->fields[i], row->record,
                                                                             names_[i], "Correct it")
                                                   : std::nan("");
      if (std::isnan(number)) {
        throw InputError(fmt::format(
            "{}:{}: the column {} is empty, but the model takes it as a descriptor. Fill the cell",
            file_.shown, row->record.line, names_[i]));
      }
      numbers.push_back(number);
    }
    return true;
  }

 private:
  DescribedFile file_;
  std::vector<std::string> names_;
  std::unique_ptr<io::MoleculeReader> reader_;
};

}  // namespace

std::vector<std::string> descriptor_names(const std::vector<std::string>& given,
                                          const encoders::chemprop::ModelSet& set) {
  std::vector<std::string> names = split_at_commas(given);
  const std::size_t wanted = set.descriptors();
  if (names.size() == wanted) {
    return names;
  }
  const std::string text = fmt::format("{} {}", kDescriptors, fmt::join(given, " "));
  if (wanted == 0) {
    throw UsageError(text + " has no effect, because the model takes no descriptors. Leave it out");
  }
  if (names.empty()) {
    throw UsageError(
        fmt::format("the model takes {} in addition to each molecule. Name the columns of the molecules that "
                    "contain them, in the order in which the model was trained on them: {} a,b,c{}",
                    counted(wanted, "descriptor"), kDescriptors, words_for_rdkit_2d(wanted)));
  }
  throw UsageError(
      fmt::format("{}: names {}, but the model takes {}. Name one column for each descriptor, in "
                  "the order in which the model was trained on them",
                  text, counted(names.size(), "column"), counted(wanted, "descriptor")));
}

DescriptorSource descriptors_of(const DescribedFile& file, const std::vector<std::string>& names) {
  if (names.empty()) {
    return {};
  }
  std::vector<session::RequiredColumn> required;
  std::transform(names.begin(), names.end(), std::back_inserter(required), [](const std::string& name) {
    return session::RequiredColumn{kDescriptors, name};
  });
  session::require_columns(file.path, {file.smiles_column, "--smiles-column"}, required);
  DescriptorReader check(file, names);
  for (std::vector<double> numbers; check.append_next(numbers); numbers.clear()) {
  }
  const auto reader = std::make_shared<DescriptorReader>(file, names);
  const auto next = [reader, file](const std::vector<bool>& failed) {
    std::vector<double> numbers;
    for (std::size_t i = 0; i < failed.size(); ++i) {
      if (!reader->append_next(numbers)) {
        refuse_changed(file.shown, "the number of records");
      }
    }
    return numbers;
  };
  const auto end = [reader, file] {
    if (std::vector<double> numbers; reader->append_next(numbers)) {
      refuse_changed(file.shown, "the number of records");
    }
  };
  return {next, end};
}

DescriptorSource descriptors_of(const MoleculeTable& table, const std::vector<std::string>& names) {
  if (names.empty()) {
    return {};
  }
  std::vector<const std::vector<double>*> columns;
  for (const std::string& name : names) {
    const auto found =
        std::find_if(table.numbers.begin(), table.numbers.end(),
                     [&](const MoleculeTable::Numbers& column) { return column.name == name; });
    if (found == table.numbers.end()) {
      throw InputError(
          fmt::format("the molecules have no column of numbers '{}', which {} names", name, kDescriptors));
    }
    for (std::size_t row = 0; row < found->values.size(); ++row) {
      if (!std::isfinite(found->values[row])) {
        throw InputError(
            fmt::format("row {}: the descriptor {} is missing or not finite. Give a number", row, name));
      }
    }
    columns.push_back(&found->values);
  }
  const auto next = [columns, row = std::size_t{0}](const std::vector<bool>& failed) mutable {
    std::vector<double> numbers;
    for (const std::size_t end = row + failed.size(); row < end; ++row) {
      for (const std::vector<double>* column : columns) {
        numbers.push_back(column->at(row));
      }
    }
    return numbers;
  };
  return {next, [] {}};
}

}  // namespace molgauge::verbs
