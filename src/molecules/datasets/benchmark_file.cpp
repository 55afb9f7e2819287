#include "molecules/datasets/benchmark_file.h"

#include <algorithm>
#include <set>

namespace molgauge::datasets {
namespace {

std::size_t domains_in(const std::vector<io::DrugOodItem>& items) {
  std::set<std::int64_t> domains;
  for (const auto& item : items) {
    domains.insert(item.domain_id);
  }
  return domains.size();
}

/// Returns the statistics with the keys of DrugOOD's files in the same order. DrugOOD repeats some counts
/// under several keys.
nlohmann::ordered_json statistics_of(const std::vector<io::DrugOodItem>& items, const io::DrugOodFile& file,
                                     double threshold) {
  using enum io::DrugOodPart;
  const auto positive = static_cast<std::size_t>(
      std::count_if(items.begin(), items.end(), [](const auto& item) { return item.cls_label == 1; }));
  const double count = static_cast<double>(std::max<std::size_t>(items.size(), 1));
  return {{"thr_for_cls", threshold},
          {"positive_samples", positive},
          {"negative_samples", items.size() - positive},
          {"positive_rate", static_cast<double>(positive) / count},
          {"train domain number", domains_in(file[train])},
          {"val domain number", domains_in(file[ood_val])},
          {"test domain number", domains_in(file[ood_test])},
          {"train datapoints", file[train].size()},
          {"ood_val datapoints", file[ood_val].size()},
          {"ood_test datapoints", file[ood_test].size()},
          {"iid_val datapoints", file[iid_val].size()},
          {"iid_test datapoints", file[iid_test].size()},
          {"ood_val domain number", domains_in(file[ood_val])},
          {"ood_test domain number", domains_in(file[ood_test])},
          {"iid_val domain number", domains_in(file[iid_val])},
          {"iid_test domain number", domains_in(file[iid_test])}};
}

}  // namespace

io::DrugOodFile benchmark_file(const std::vector<io::DrugOodItem>& items, const SplitParts& parts,
                               double threshold) {
  using enum io::DrugOodPart;
  io::DrugOodFile file;
  const auto fill = [&](io::DrugOodPart part, const std::vector<std::size_t>& rows) {
    for (const std::size_t row : rows) {
      file[part].push_back(items[row]);
    }
  };
  fill(train, parts.train);
  fill(iid_val, parts.iid_val);
  fill(iid_test, parts.iid_test);
  fill(ood_val, parts.ood_val);
  fill(ood_test, parts.ood_test);
  file.statistics = statistics_of(items, file, threshold);
  return file;
}

}  // namespace molgauge::datasets
