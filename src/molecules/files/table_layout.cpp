#include "molecules/files/table_layout.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <regex>

#include <fmt/format.h>

#include "base/io/bytes/line_reader.h"

namespace molgauge::io {
namespace {

constexpr std::array<std::string_view, 15> kStructureColumns = {
    "smiles", "canonical_smiles", "canonicalsmiles", "isomeric_smiles", "isomericsmiles",
    "smi",    "smiles_string",    "structure",       "structures",      "molecule",
    "mol",    "rdkit_smiles",     "mol_smiles",      "std_smiles",      "inchi"};

/// In lower case, with "_" for blanks and hyphens, without white space at the ends.
std::string plain_name(std::string_view name) {
  std::string plain(trimmed(name));
  std::ranges::transform(plain, plain.begin(), [](unsigned char letter) {
    return letter == ' ' || letter == '-' ? '_' : static_cast<char>(std::tolower(letter));
  });
  return plain;
}

bool is_number(std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  return failure == std::errc() && end == text.data() + text.size();
}

std::size_t count_outside_quotes(std::string_view line, char separator) {
  bool is_quoted = false;
  std::size_t count = 0;
  for (const char letter : line) {
    is_quoted = letter == '"' ? !is_quoted : is_quoted;
    count += !is_quoted && letter == separator ? 1 : 0;
  }
  return count;
}

/// Whether a comment such as "#smiles,name" is the header.
bool names_a_structure_column(std::string_view comment) {
  comment.remove_prefix(1);
  for (std::size_t start = 0; start <= comment.size();) {
    const std::size_t end = std::min(comment.find_first_of(",;\t|", start), comment.size());
    if (is_structure_column(comment.substr(start, end - start))) {
      return true;
    }
    start = end + 1;
  }
  return false;
}

}  // namespace

bool is_structure_column(std::string_view name) {
  return std::ranges::find(kStructureColumns, plain_name(name)) != kStructureColumns.end();
}

std::optional<std::size_t> find_structure_column(std::span<const std::string> header) {
  for (const std::string_view name : kStructureColumns) {
    const auto column =
        std::ranges::find_if(header, [&](const std::string& own) { return plain_name(own) == name; });
    if (column != header.end()) {
      return static_cast<std::size_t>(column - header.begin());
    }
  }
  return std::nullopt;
}

bool is_clearly_smiles(std::string_view text) {
  text = trimmed(text);
  if (const std::size_t extension = text.find(" |"); extension != std::string_view::npos) {
    text = text.substr(0, extension);
  }
  std::size_t atoms = 0, aromatic = 0, open = 0, i = 0;
  std::map<std::string_view, std::size_t> ring_labels;
  while (i < text.size()) {
    std::size_t length = 1;
    if (text[i] == '[') {
      length = text.find(']', i) - i + 1;
      if (text.find(']', i) == std::string_view::npos || length < 3) {
        return false;
      }
      ++atoms;
    } else if (text.substr(i, 2) == "Cl" || text.substr(i, 2) == "Br") {
      length = 2;
      ++atoms;
    } else if (std::string_view("BCNOPSFI").find(text[i]) != std::string_view::npos) {
      ++atoms;
    } else if (std::string_view("bcnops").find(text[i]) != std::string_view::npos) {
      ++atoms;
      ++aromatic;
    } else if (text[i] == '%' || (text[i] >= '0' && text[i] <= '9')) {
      length = text[i] == '%' ? 3 : 1;
      ++ring_labels[text.substr(i, length)];
    } else if (text[i] == '(' || text[i] == ')') {
      if (text[i] == ')' && open == 0) {
        return false;
      }
      open += text[i] == '(' ? 1 : -1;
    } else if (atoms == 0 || std::string_view("-=#$:/\\.").find(text[i]) == std::string_view::npos) {
      return false;
    }
    i += length;
  }
  const bool rings_close =
      std::ranges::all_of(ring_labels, [](const auto& label) { return label.second % 2 == 0; });
  return atoms >= 2 && open == 0 && rings_close && (aromatic == 0 || !ring_labels.empty());
}

std::optional<char> SeparatorChoice::operator()(std::string_view line) {
  line = without_carriage_return(line);
  constexpr std::string_view kNamed = "sep=";
  const std::string_view bare = line.starts_with('"') && line.ends_with('"') && line.size() > 1
                                    ? line.substr(1, line.size() - 2)
                                    : line;
  if (bare.size() == kNamed.size() + 1 && plain_name(bare).starts_with(kNamed)) {
    named_ = bare.back();
    return std::nullopt;
  }
  if (line.starts_with('#') && !names_a_structure_column(line)) {
    return std::nullopt;
  }
  if (named_) {
    return named_;
  }
  char most = usual_;
  for (const char separator : {',', ';', '\t'}) {
    most = count_outside_quotes(line, separator) > count_outside_quotes(line, most) ? separator : most;
  }
  // A bar may also begin a CXSMILES extension: "CC |...|".
  const bool has_extension = line.find(" |") != std::string_view::npos;
  return count_outside_quotes(line, most) == 0 && !has_extension && count_outside_quotes(line, '|') > 0
             ? '|'
             : most;
}

std::optional<std::vector<std::string>> names_without_header(std::span<const std::string> first_row) {
  const auto smiles = std::ranges::find_if(first_row, is_clearly_smiles);
  if (smiles == first_row.end()) {
    return std::nullopt;
  }
  std::vector<std::string> names;
  bool has_name = false;
  for (auto field = first_row.begin(); field != first_row.end(); ++field) {
    const bool is_name = !has_name && field != smiles && !is_number(with_decimal_point(*field));
    has_name = has_name || is_name;
    names.push_back(field == smiles ? "smiles"
                    : is_name       ? "name"
                                    : fmt::format("column_{}", names.size() + 1));
  }
  return names;
}

bool may_be_thousands(std::string_view text) {
  static const std::regex thousands("\\s*[+-]?[1-9]\\d{0,2}(,\\d{3})+\\s*");
  return std::regex_match(text.begin(), text.end(), thousands);
}

std::string with_decimal_point(std::string text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) {
    return text;
  }
  std::string changed(trimmed(text));
  if (const std::size_t place = changed.find(','); place != std::string::npos) {
    changed[place] = '.';
  }
  return is_number(changed.starts_with('+') ? std::string_view(changed).substr(1) : changed) ? changed : text;
}

}  // namespace molgauge::io
