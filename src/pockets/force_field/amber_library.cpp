#include "pockets/force_field/amber_library.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/bytes/line_reader.h"
#include "pockets/force_field/amber_lines.h"

namespace molgauge::pocket {
namespace {

constexpr std::string_view kEntry = "!entry.";

/// A table. Its first line has the form "!entry.A5.unit.atoms table  str name  str type ..."
struct Table {
  std::string unit, part;            ///< for example "A5" and "unit.atoms"
  std::vector<std::string> columns;  ///< names of the columns, only for tables

  std::size_t column(const char* name) const {
    const auto found = std::find(columns.begin(), columns.end(), name);
    if (found == columns.end()) {
      throw InputError(fmt::format("the table {} of {} has no column '{}'", part, unit, name));
    }
    return static_cast<std::size_t>(found - columns.begin());
  }
};

Table parse_table(std::string_view line) {
  std::vector<std::string> words = library_fields(line.substr(kEntry.size()));
  const std::size_t dot = words.empty() ? std::string::npos : words[0].find(".unit.");
  if (dot == std::string::npos || words.size() < 2) {
    throw InputError("this is not the header of a table of a unit");
  }
  Table table{words[0].substr(0, dot), words[0].substr(dot + 1), {}};
  for (std::size_t i = 3; words[1] == "table" && i < words.size(); i += 2) {
    table.columns.push_back(std::move(words[i]));
  }
  return table;
}

template <typename Number>
Number parse(const std::string& text, const char* what) {
  Number number{};
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || stop != text.data() + text.size()) {
    throw InputError(fmt::format("{} is '{}', which is not a number", what, text));
  }
  return number;
}

class Library {
 public:
  Library(const std::string& file, ForceField& field) : lines_(file), field_(field) {}

  void read() {
    while (const auto line = lines_.next()) {
      try {
        take(io::trimmed(*line));
      } catch (const InputError& failure) {
        lines_.fail(lines_.line(), failure.what());
      }
    }
    try {
      finish_unit();
    } catch (const InputError& failure) {
      lines_.fail(lines_.line(), failure.what());
    }
    if (!has_residues_) {
      lines_.fail(lines_.line(), "has no units of one residue");
    }
  }

 private:
  void take(std::string_view line) {
    if (line.starts_with(kEntry)) {
      table_ = parse_table(line);
      if (table_.unit != unit_.name) {
        finish_unit();
        unit_.name = table_.unit;
      }
      has_atoms_ = has_atoms_ || table_.part == "unit.atoms";
      has_bonds_ = has_bonds_ || table_.part == "unit.connectivity";
    } else if (line.starts_with('!')) {
      table_ = {};  // the index of the file, which is not used
    } else if (line.empty() || table_.part.empty()) {
      return;
    } else if (table_.part == "unit.atoms") {
      add_atom(fields_of_row(line));
    } else if (table_.part == "unit.connectivity") {
      const auto fields = fields_of_row(line);
      unit_.bonds.push_back({atom(fields[table_.column("atom1x")]), atom(fields[table_.column("atom2x")])});
    } else if (table_.part == "unit.connect") {
      const std::string number(line);
      if (parse<std::int64_t>(number, "an atom that binds") != 0) {
        unit_.external.push_back(atom(number));
      }
    }
  }

  std::vector<std::string> fields_of_row(std::string_view line) const {
    std::vector<std::string> fields = library_fields(line);
    if (fields.size() != table_.columns.size()) {
      throw InputError(fmt::format("a row of {} of {} has {} fields. Its columns are {}", table_.part,
                                   table_.unit, fields.size(), table_.columns.size()));
    }
    return fields;
  }

  void add_atom(const std::vector<std::string>& fields) {
    const std::string& name = fields[table_.column("name")];
    const auto charge = parse<double>(fields[table_.column("chg")], "a charge");
    if (!std::isfinite(charge) || std::abs(charge) > 100) {
      throw InputError(fmt::format("the charge of {} of {} is {}", name, unit_.name, charge));
    }
    const auto residue = parse<std::int64_t>(fields[table_.column("resx")], "the number of a residue");
    if (unit_.atoms.empty()) {
      residue_ = residue;
    }
    has_several_residues_ = has_several_residues_ || residue != residue_;
    if (!names_.insert(name).second && !has_several_residues_) {
      throw InputError(fmt::format("the residue {} has two atoms {}", unit_.name, name));
    }
    unit_.atoms.push_back({name, fields[table_.column("type")], charge});
  }

  /// Returns the 0-based index of an atom from its number in the file, which is counted from 1.
  std::int64_t atom(const std::string& number) const {
    const auto read = parse<std::int64_t>(number, "the number of an atom");
    if (read < 1 || read > static_cast<std::int64_t>(unit_.atoms.size())) {
      throw InputError(
          fmt::format("the residue {} has {} atoms, no atom {}", unit_.name, unit_.atoms.size(), read));
    }
    return read - 1;
  }

  void finish_unit() {
    if (!unit_.name.empty() && !has_several_residues_) {
      if (unit_.atoms.empty()) {
        throw InputError(fmt::format("the unit {} has {} atoms", unit_.name, has_atoms_ ? 0 : "no table of"));
      }
      if (!has_bonds_ && unit_.atoms.size() > 1) {
        throw InputError(fmt::format("the unit {} has no table of bonds (unit.connectivity)", unit_.name));
      }
      field_.residues.insert_or_assign(unit_.name, unit_);
      has_residues_ = true;
    }
    unit_ = {};
    names_.clear();
    has_several_residues_ = has_atoms_ = has_bonds_ = false;
  }

  io::LineReader lines_;
  ForceField& field_;
  Table table_;
  ResidueTemplate unit_;
  std::set<std::string> names_;
  std::int64_t residue_ = 0;
  bool has_several_residues_ = false, has_atoms_ = false, has_bonds_ = false, has_residues_ = false;
};

}  // namespace

void read_amber_library(const std::string& file, ForceField& field) { Library(file, field).read(); }

}  // namespace molgauge::pocket
