#include "molecules/judging/saved/molecule_table.h"

#include <charconv>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/io/tables/csv_reader.h"
#include "base/io/tables/csv_writer.h"
#include "molecules/judging/saved/saved_files.h"

namespace molgauge::domain {
namespace {

std::string hexadecimal(const Hash128& key) { return fmt::format("{:02x}", fmt::join(key, "")); }

/// Reverses hexadecimal(). Throws InputError if the text is not a result of hexadecimal().
Hash128 key_from(const std::string& text) {
  Hash128 key{};
  if (text.size() != 2 * key.size()) {
    throw InputError("a key has another length than 32 digits");
  }
  for (std::size_t i = 0; i < key.size(); ++i) {
    const char* const digits = text.data() + 2 * i;
    const auto [end, problem] = std::from_chars(digits, digits + 2, key[i], 16);
    if (problem != std::errc() || end != digits + 2) {
      throw InputError(fmt::format("the key {} is not hexadecimal", text));
    }
  }
  return key;
}

}  // namespace

void write_molecules(const TrainingNotes& notes, const std::filesystem::path& path) {
  io::CsvWriter file(
      path, {"name", "smiles", "canonical_smiles", "scaffold", "drawn_key", "parent_key", "flat_key"});
  for (std::size_t i = 0; i < notes.names.size(); ++i) {
    const FormKeys& keys = notes.keys[i];
    file.append({notes.names[i], notes.smiles[i], notes.canonical_smiles[i], notes.scaffolds[i],
                 hexadecimal(keys.drawn), hexadecimal(keys.parent), hexadecimal(keys.flat)});
  }
  file.finish();
}

TrainingNotes read_molecules(const std::filesystem::path& path) {
  TrainingNotes notes;
  io::CsvReader file(path.string(), ',');
  file.next();
  while (const auto row = file.next()) {
    if (row->fields.size() != 7) {
      throw InputError(
          fmt::format("{}:{}: seven fields are expected. {}", path.string(), row->line, kSavedDomainRemedy));
    }
    notes.names.push_back(row->fields[0]);
    notes.smiles.push_back(row->fields[1]);
    notes.canonical_smiles.push_back(row->fields[2]);
    notes.scaffolds.push_back(row->fields[3]);
    notes.known.scaffolds.insert(row->fields[3]);
    try {
      notes.keys.push_back({key_from(row->fields[4]), key_from(row->fields[5]), key_from(row->fields[6])});
    } catch (const InputError& problem) {
      throw InputError(
          fmt::format("{}:{}: {}. {}", path.string(), row->line, problem.what(), kSavedDomainRemedy));
    }
  }
  return notes;
}

}  // namespace molgauge::domain
