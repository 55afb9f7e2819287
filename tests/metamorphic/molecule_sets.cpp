#include "molecule_sets.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/io/tables/csv_reader.h"
#include "drawings.h"
#include "support/fixtures.h"

namespace molgauge::test {

const std::vector<std::string>& public_sets() {
  static const std::vector<std::string> names = {"bace", "bbbp", "esol", "hiv", "lipo"};
  return names;
}

std::optional<MoleculeSet> public_set(const std::string& name) {
  const std::filesystem::path path = reference_data("molecules/" + name + ".csv");
  if (!std::filesystem::exists(path)) {
    return std::nullopt;
  }
  MoleculeSet set{name, {}, {}, name == "bace" || name == "bbbp" || name == "hiv"};
  io::CsvReader reader(path.string(), ',');
  reader.next();  // the columns are smiles and the value
  while (const auto row = reader.next()) {
    set.smiles.push_back(row->fields.at(0));
    set.values.push_back(row->fields.at(1));
  }
  return set;
}

MoleculeSet nci_set(std::size_t count) {
  MoleculeSet set{"nci", {}, {}, false};
  std::ifstream file("/usr/share/RDKit/Data/NCI/first_5K.smi");
  for (std::string line; set.smiles.size() < count && std::getline(file, line);) {
    const std::string smiles = line.substr(0, line.find_first_of(" \t"));
    const auto nitrogens = std::count(smiles.begin(), smiles.end(), 'N');
    set.smiles.push_back(smiles);
    set.values.push_back(
        std::to_string(0.1 * static_cast<double>(smiles.size()) - 0.5 * static_cast<double>(nitrogens)));
  }
  return set;
}

MoleculeSet distinct_part(const MoleculeSet& set, std::size_t count) {
  MoleculeSet part{set.name, {}, {}, set.are_classes};
  std::set<std::string> parents;
  const std::size_t size = set.smiles.size();
  // A step that has no divisor in common with the size visits every molecule once.
  const std::size_t step = 104729;
  for (std::size_t i = 0; i < size && part.smiles.size() < count; ++i) {
    const std::size_t row = i * step % size;
    const std::string parent = parent_of(set.smiles[row]);
    if (!parent.empty() && parents.insert(parent).second) {
      part.smiles.push_back(set.smiles[row]);
      part.values.push_back(set.values[row]);
    }
  }
  return part;
}

MoleculeSet slice(const MoleculeSet& set, std::size_t first, std::size_t last) {
  last = std::min(last, set.smiles.size());
  first = std::min(first, last);
  const auto from = static_cast<std::ptrdiff_t>(first), to = static_cast<std::ptrdiff_t>(last);
  return {set.name,
          {set.smiles.begin() + from, set.smiles.begin() + to},
          {set.values.begin() + from, set.values.begin() + to},
          set.are_classes};
}

}  // namespace molgauge::test
