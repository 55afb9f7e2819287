#include "pockets/preparation/hariboss_table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/io/tables/csv_reader.h"

namespace molgauge::pocket {
namespace {

constexpr std::array<std::string_view, 6> kPdbColumns = {"id", "pdb_id", "PDB_ID", "pdbid", "PDBID", "PDB"};
constexpr std::array<std::string_view, 6> kLigandColumns = {"sm_ligand_ids",  "ligand", "Ligand",
                                                            "ligand_resname", "LIGAND", "ligand_name"};

std::size_t find_column(const std::vector<std::string>& header, const std::array<std::string_view, 6>& names,
                        const std::string& file) {
  for (const std::string_view name : names) {
    const auto found = std::find(header.begin(), header.end(), name);
    if (found != header.end()) {
      return static_cast<std::size_t>(found - header.begin());
    }
  }
  throw InputError(fmt::format("{}: has none of the columns {}", file, fmt::join(names, ", ")));
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

/// Returns whether a text is valid as a PDB code or ligand code. Codes become parts of file names.
bool is_code(const std::string& text) {
  return !text.empty() && text.size() <= 20 &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char letter) { return std::isalnum(letter) != 0; });
}

ComplexRow read_row(const io::CsvRow& row, std::size_t pdb_column, std::size_t ligand_column) {
  ComplexRow complex{.pdb = "", .ligand = "", .line = row.line};
  if (row.fields.size() <= std::max(pdb_column, ligand_column)) {
    complex.problem = "the row has too few fields";
    return complex;
  }
  const std::string pdb = lower(std::string(io::trimmed(row.fields[pdb_column])));
  const std::string ligand = first_ligand(row.fields[ligand_column]);
  if (!is_code(pdb)) {
    complex.problem = "the row has no PDB code";
  } else if (!is_code(ligand)) {
    complex.problem = "the row has no ligand";
  } else {
    complex.pdb = pdb;
    complex.ligand = ligand;
  }
  return complex;
}

}  // namespace

std::string first_ligand(const std::string& entry) {
  std::string_view text = io::trimmed(entry);
  if (text.starts_with('[')) {
    text.remove_prefix(1);
    const std::size_t quote = text.find_first_of("'\"");
    if (quote == std::string_view::npos) {
      return "";
    }
    const std::size_t end = text.find(text[quote], quote + 1);
    text = text.substr(quote + 1, end == std::string_view::npos ? end : end - quote - 1);
  }
  text = text.substr(0, text.find('_'));
  return std::string(io::trimmed(text.substr(0, text.find(':'))));
}

std::vector<ComplexRow> read_hariboss_table(const std::string& file, const std::optional<std::size_t>& most) {
  io::CsvReader csv(file, ',');
  const auto header = csv.next();
  if (!header) {
    throw InputError(file + ": is empty. It must be a table of complexes");
  }
  const std::size_t pdb = find_column(header->fields, kPdbColumns, file),
                    ligand = find_column(header->fields, kLigandColumns, file);
  std::vector<ComplexRow> rows;
  std::set<std::pair<std::string, std::string>> seen;
  for (std::size_t count = 0; !most || count < *most; ++count) {
    const auto row = csv.next();
    if (!row) {
      break;
    }
    ComplexRow complex = read_row(*row, pdb, ligand);
    if (!complex.problem.empty() || seen.emplace(complex.pdb, complex.ligand).second) {
      rows.push_back(std::move(complex));
    }
  }
  if (rows.empty()) {
    throw InputError(file + ": has no rows");
  }
  return rows;
}

}  // namespace molgauge::pocket
