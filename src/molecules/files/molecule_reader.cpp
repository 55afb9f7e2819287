#include "molecules/files/molecule_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "base/core/error.h"
#include "base/core/files/read_problem.h"
#include "base/core/files/watched_inputs.h"
#include "base/io/bytes/line_reader.h"
#include "base/io/bytes/packed_source.h"
#include "molecules/chem/perception.h"
#include "molecules/files/json_records.h"
#include "molecules/files/molecule_formats.h"

namespace molgauge::io {
namespace {

/// Whether the name of a file has only characters of SMILES with atoms of the organic subset.
bool may_be_smiles(const std::string& name) {
  return name.find_first_not_of("BCNOPSFIbcnopsHlr[]()=#@+-\\/.%0123456789") == std::string::npos;
}

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return text;
}

// The extension in lower case. For "x.csv.gz" it is ".csv". For an archive, it is the extension of its file.
std::string format_extension(const std::string& path) {
  const std::filesystem::path name(lower_case(std::filesystem::path(path).filename().string()));
  for (const char* const packed : {".gz", ".bz2", ".xz", ".zst"}) {
    if (name.extension() == packed) {
      return name.stem().extension().string();
    }
  }
  if (name.extension() == ".zip") {
    try {
      return lower_case(std::filesystem::path(zipped_file(ZipArchive(path))).extension().string());
    } catch (const InputError& problem) {
      const std::string text = problem.what();
      throw InputError(text.starts_with(path) ? text : path + ": " + text);
    }
  }
  return name.extension().string();
}

/// For a format that people try, what to do with the file.
std::string reason_to_refuse(const std::string& extension) {
  struct Refused {
    std::array<std::string_view, 4> extensions;
    std::string_view reason;
  };
  constexpr std::array<Refused, 4> kRefused = {{
      {{".xls", ".xlsm", ".xlsb", ".ods"}, "is a spreadsheet. Save it as .xlsx or .csv"},
      {{".parquet", ".feather", ".arrow", ".ipc"},
       "is a table for programs. Read it in Python (pandas, Polars or pyarrow), and give the table to the "
       "Python package molgauge"},
      {{".7z", ".rar", ".tar", ".tgz"},
       "is an archive that Molgauge does not read. Unpack it, or make a .zip"},
      {{".rxn", ".rdf", ".rxnsmi"}, "contains reactions. Give their molecules as .sdf or .smi"},
  }};
  for (const Refused& refused : kRefused) {
    if (!extension.empty() && std::ranges::find(refused.extensions, extension) != refused.extensions.end()) {
      return std::string(refused.reason);
    }
  }
  return "unknown format. Supported are .csv, .tsv, .xlsx, .smi, .sdf, .mol, .json and .jsonl. Text files "
         "may be compressed. Convert or rename the file";
}

}  // namespace

std::optional<std::size_t> find_column(const std::vector<std::string>& columns, std::string_view name) {
  const std::string wanted = lower_case(std::string(name));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (lower_case(columns[i]) == wanted) {
      return i;
    }
  }
  return std::nullopt;
}

std::string name_in_row(const std::vector<std::string>& columns, std::span<const std::string> fields) {
  for (const char* const column : {"name", "id"}) {
    if (const auto place = find_column(columns, column);
        place && *place < fields.size() && !fields[*place].empty()) {
      return fields[*place];
    }
  }
  return {};
}

std::unique_ptr<MoleculeReader> open_molecules(const std::string& path,
                                               const MoleculeReaderOptions& options) {
  if (auto table = open_named_table(path, options)) {
    return table;
  }
  watch_input(path);
  const std::string extension = !options.extension.empty() ? options.extension
                                : path == "-"              ? ".smi"
                                                           : format_extension(path);
  if (extension == ".csv" || extension == ".tsv") {
    return open_csv_molecules(path, extension == ".csv" ? ',' : '\t', options);
  }
  if (extension == ".smi" || extension == ".smiles" || extension == ".txt") {
    return open_smiles_lines(path, options);
  }
  if (extension == ".sdf" || extension == ".sd" || extension == ".mol") {
    return open_sdf(path, options);
  }
  if (extension == ".xlsx") {
    return open_workbook(path, options);
  }
  if (extension == ".jsonl" || extension == ".ndjson" || (extension == ".json" && is_json_list(path))) {
    return open_json_records(path, options);
  }
  if (extension == ".json") {
    return open_drugood_molecules(path, options);
  }
  std::error_code problem;
  if (!std::filesystem::exists(path, problem)) {
    const InputError absent = read_problem(path, problem ? problem.value() : ENOENT);
    if (may_be_smiles(path)) {
      throw InputError(std::string(absent.what()) +
                       ". If it is a SMILES, write it into a .smi file, or pipe it and name the list '-'");
    }
    throw absent;
  }
  if (std::filesystem::is_directory(path)) {
    throw InputError(path + ": is a folder. Name a file");
  }
  throw InputError(path + ": " + reason_to_refuse(extension));
}

void cut_long_text(chem::MoleculeRecord& record) {
  constexpr std::size_t kKept = 100;
  if (record.text.size() > chem::kLongestText) {
    record.unreadable = "the text has " + too_long(record.text.size(), chem::kLongestText);
    record.text.resize(kKept);
    record.text.shrink_to_fit();
  }
}

void refuse_smiles_column(const std::string& path, const MoleculeReaderOptions& options,
                          const std::string& format) {
  if (options.smiles_column != MoleculeReaderOptions().smiles_column) {
    throw UsageError(path + ": " + format + " has no SMILES column, so " + options.smiles_option +
                     " has no effect. Leave it out");
  }
}

}  // namespace molgauge::io
