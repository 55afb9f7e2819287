#include "molecules/datasets/load_benchmark.h"

#include <limits>
#include <unordered_set>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/bytes/line_reader.h"
#include "base/io/tables/drugood_json.h"
#include "molecules/chem/identity.h"
#include "molecules/chem/perception.h"
#include "molecules/datasets/identities.h"
#include "molecules/datasets/leakage.h"

namespace molgauge::datasets {
namespace {

std::vector<float> labels_of(const io::DrugOodItem& item) {
  std::vector<float> labels;
  for (const auto& label : item.labels) {
    labels.push_back(label ? static_cast<float>(*label) : std::numeric_limits<float>::quiet_NaN());
  }
  return labels;
}

std::vector<BenchmarkMolecule> molecules_of(const std::vector<io::DrugOodItem>& items) {
  std::vector<BenchmarkMolecule> molecules;
  molecules.reserve(items.size());
  for (const auto& item : items) {
    molecules.push_back(
        {std::string(io::trimmed(item.smiles)), item.cls_label, item.line, item.reg_label, labels_of(item)});
  }
  return molecules;
}

BenchmarkKind kind_of(const io::DrugOodFile& file) {
  const auto algorithm = file.cfg.is_object() ? file.cfg.find("algorithm") : file.cfg.end();
  return algorithm != file.cfg.end() && *algorithm == "good" ? BenchmarkKind::good : BenchmarkKind::drugood;
}

/// Returns the message of RDKit if a text is not a molecule, else an empty text.
std::string why_no_molecule(const std::string& smiles) {
  chem::MoleculeRecord record;
  record.text = smiles;
  try {
    chem::identify(record, false);
    return "";
  } catch (const chem::InvalidMolecule& invalid) {
    return invalid.what();
  }
}

/// One record for each distinct text.
std::vector<chem::MoleculeRecord> distinct_records(OodBenchmark& benchmark, const std::string& file) {
  std::vector<chem::MoleculeRecord> records;
  std::unordered_set<std::string> seen;
  for (const OodSide& side : sides_of(benchmark)) {
    for (const auto& molecule : side.molecules) {
      if (seen.insert(molecule.smiles).second) {
        auto& record = records.emplace_back();
        record.text = molecule.smiles;
        record.line = molecule.line;
        record.file = file;
      }
    }
  }
  return records;
}

/// The identities of valid molecules, and the reasons why the other texts are invalid.
struct Spellings {
  std::unordered_map<std::string, Hash128> identity_of_text;
  std::unordered_map<std::string, std::string> reason_of_text;
};

Spellings spellings_of(OodBenchmark& benchmark, const std::string& file, const ComputeOptions& compute) {
  const auto records = distinct_records(benchmark, file);
  const Identities identities = identify_all(records, false, compute.threads, compute.quiet);
  Spellings spellings;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (const auto& identity = identities.of_record[i]) {
      spellings.identity_of_text.emplace(records[i].text, hash128(identity->canonical_smiles));
    }
  }
  for (const auto& failed : identities.failed) {
    spellings.reason_of_text.emplace(failed.text, failed.reason);
  }
  return spellings;
}

/// Moves molecules whose text is a key of `reasons` to the lists of failed molecules.
void take_out_failed(OodBenchmark& benchmark, const std::unordered_map<std::string, std::string>& reasons,
                     const std::string& file) {
  for (const OodSide& side : sides_of(benchmark)) {
    auto& failed = side.is_test() ? benchmark.failed_test : benchmark.failed;
    std::size_t row = 0;
    std::erase_if(side.molecules, [&](const BenchmarkMolecule& molecule) {
      const std::size_t this_row = row++;
      const auto reason = reasons.find(molecule.smiles);
      if (reason != reasons.end()) {
        failed.push_back({this_row, molecule.line, file, molecule.smiles, reason->second});
      }
      return reason != reasons.end();
    });
  }
}

}  // namespace

void examine_ood_benchmark(OodBenchmark& benchmark, const std::string& file, bool allow_overlap,
                           const ComputeOptions& compute) {
  const Spellings spellings = spellings_of(benchmark, file, compute);
  take_out_failed(benchmark, spellings.reason_of_text, file);
  for (const OodSide& side : sides_of(benchmark)) {
    for (auto& molecule : side.molecules) {
      molecule.identity = spellings.identity_of_text.at(molecule.smiles);
    }
  }
  const SharedMolecules shared = find_shared_molecules(benchmark, file);
  require_accepted(
      shared, allow_overlap,
      fmt::format("{}: {} in parts that must not overlap", file, molecules_are(shared.count)),
      "Remove them from one of the parts, create the file again with `molgauge split`, which puts all SMILES "
      "of a molecule into one part");
  benchmark.shared_molecules = shared.count;
}

OodBenchmark load_ood_benchmark(const std::string& path, const OodSelection& selection,
                                const ComputeOptions& compute) {
  const io::DrugOodFile file = io::read_drugood_json(path);
  BenchmarkParts parts{.train = molecules_of(file[io::DrugOodPart::train]),
                       .iid_val = molecules_of(file[io::DrugOodPart::iid_val]),
                       .iid_test = molecules_of(file[io::DrugOodPart::iid_test]),
                       .ood_val = molecules_of(file[io::DrugOodPart::ood_val]),
                       .ood_test = molecules_of(file[io::DrugOodPart::ood_test])};
  OodSelection by_kind = selection;
  by_kind.kind = selection.kind.value_or(kind_of(file));
  OodBenchmark benchmark = select_ood_benchmark(std::move(parts), by_kind, path, why_no_molecule);
  examine_ood_benchmark(benchmark, path, selection.allow_overlap, compute);
  return benchmark;
}

OodTest load_ood_test(const std::string& path, bool allow_overlap, const ComputeOptions& compute) {
  const io::DrugOodFile file = io::read_drugood_json(path);
  for (const auto part : {io::DrugOodPart::iid_test, io::DrugOodPart::ood_test}) {
    if (file[part].empty()) {
      throw InputError(path + ": " + to_string(part) +
                       " is empty. Testing needs molecules in iid_test and ood_test");
    }
  }
  OodBenchmark sides;
  sides.test_id = molecules_of(file[io::DrugOodPart::iid_test]);
  sides.test_ood = molecules_of(file[io::DrugOodPart::ood_test]);
  examine_ood_benchmark(sides, path, allow_overlap, compute);
  return {std::move(sides.test_id), std::move(sides.test_ood), std::move(sides.failed_test),
          sides.shared_molecules};
}

}  // namespace molgauge::datasets
