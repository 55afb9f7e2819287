#include "molecules/encoding/session/encoded_parts.h"

#include "base/core/error.h"

namespace molgauge::session {

void PartEncoder::add(std::string name, const std::vector<datasets::BenchmarkMolecule>& molecules,
                      const std::string& file) {
  for (const auto& molecule : molecules) {
    chem::MoleculeRecord record;
    record.text = molecule.smiles;
    record.row = records_.size();
    record.line = molecule.line;
    record.file = file;
    records_.push_back(std::move(record));
  }
  names_.push_back(std::move(name));
  files_.push_back(file);
  ends_.push_back(records_.size());
}

std::vector<PartEncoder::Encoded> PartEncoder::encode_keys(pipeline::FailureLog& failed) {
  const auto outcome = session_.encode(pipeline::source_of(records_), list_molecules(records_));
  std::vector<bool> usable(records_.size(), true);
  outcome.failed.for_each([&](FailedMolecule&& molecule) {
    usable[molecule.row] = false;
    failed.append(molecule);
    return true;
  });

  std::vector<Encoded> parts;
  std::size_t first = 0;
  for (std::size_t part = 0; part < names_.size(); ++part) {
    Encoded encoded;
    for (std::size_t row = first; row < ends_[part]; ++row) {
      if (usable[row]) {
        encoded.keys.push_back(outcome.keys[row]);
        encoded.places.push_back(row - first);
        encoded.smiles.push_back(records_[row].text);
      }
    }
    if (encoded.keys.empty()) {
      throw InputError(files_[part] + ": nothing of the part " + names_[part] + " could be encoded");
    }
    first = ends_[part];
    parts.push_back(std::move(encoded));
  }
  return parts;
}

std::vector<ops::Floats> PartEncoder::encode(pipeline::FailureLog& failed) {
  std::vector<ops::Floats> parts;
  for (const auto& part : encode_keys(failed)) {
    parts.push_back(session_.features(part.keys));
  }
  return parts;
}

}  // namespace molgauge::session
