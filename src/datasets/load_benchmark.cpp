#include "datasets/load_benchmark.h"

#include "core/error.h"
#include "io/drugood_json.h"

namespace headroom::datasets {
namespace {

std::string trimmed(const std::string& text) {
  constexpr const char* kSpace = " \t\r\n\f\v";
  const auto begin = text.find_first_not_of(kSpace);
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::vector<BenchmarkMolecule> molecules_of(const std::vector<io::DrugOodItem>& items) {
  std::vector<BenchmarkMolecule> molecules;
  molecules.reserve(items.size());
  for (const auto& item : items) {
    molecules.push_back({trimmed(item.smiles), item.cls_label, item.line});
  }
  return molecules;
}

}  // namespace

OodBenchmark load_ood_benchmark(const std::string& path, const OodSelection& selection) {
  const io::DrugOodFile file = io::read_drugood_json(path);
  const BenchmarkParts parts{.train = molecules_of(file[io::DrugOodPart::train]),
                             .iid_val = molecules_of(file[io::DrugOodPart::iid_val]),
                             .iid_test = molecules_of(file[io::DrugOodPart::iid_test]),
                             .ood_val = molecules_of(file[io::DrugOodPart::ood_val]),
                             .ood_test = molecules_of(file[io::DrugOodPart::ood_test])};
  return select_ood_benchmark(parts, selection, path);
}

OodTest load_ood_test(const std::string& path) {
  const io::DrugOodFile file = io::read_drugood_json(path);
  for (const auto part : {io::DrugOodPart::iid_test, io::DrugOodPart::ood_test}) {
    if (file[part].empty()) {
      throw InputError(path + ": " + to_string(part) +
                       " is empty; testing needs molecules in iid_test and ood_test");
    }
  }
  return {.test_id = molecules_of(file[io::DrugOodPart::iid_test]),
          .test_ood = molecules_of(file[io::DrugOodPart::ood_test])};
}

}  // namespace headroom::datasets
