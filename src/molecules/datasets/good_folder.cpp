#include "molecules/datasets/good_folder.h"

#include <cmath>
#include <filesystem>
#include <utility>

#include "base/core/error.h"
#include "base/io/tensors/good_processed.h"
#include "molecules/datasets/benchmark_file.h"
#include "molecules/datasets/class_labels.h"

namespace molgauge::datasets {
namespace {

namespace fs = std::filesystem;

io::DrugOodItem item_of(const io::GoodProcessed& part, std::size_t row) {
  io::DrugOodItem item;
  item.smiles = part.smiles[row];
  std::vector<std::optional<double>> labels;
  for (std::size_t task = 0; task < part.tasks; ++task) {
    const double label = part.labels[row * part.tasks + task];
    labels.push_back(std::isnan(label) ? std::nullopt : std::optional(label));
  }
  item.reg_label = mean_of_known(labels);
  if (labels.size() > 1) {
    item.labels = std::move(labels);
  }
  item.domain_id = part.domain_id.empty() ? 0 : part.domain_id[row];
  return item;
}

class GoodFolder {
 public:
  GoodFolder(fs::path folder, std::string shift) : folder_(std::move(folder)), shift_(std::move(shift)) {}

  void add(const char* name, std::vector<std::size_t>& rows) {
    const fs::path file = folder_ / (shift_ + "_" + name + ".pt");
    if (!fs::is_regular_file(file)) {
      throw InputError(file.string() + ": no such file. Give a folder of GOOD's processed files, such as " +
                       "GOODHIV/scaffold/processed, and a shift that it has");
    }
    const io::GoodProcessed part = io::read_good_processed(file);
    for (std::size_t row = 0; row < part.smiles.size(); ++row) {
      rows.push_back(items_.size());
      items_.push_back(item_of(part, row));
      if (std::string(name) == "train" && !part.environment.empty()) {
        items_.back().environment = part.environment[row];
      }
    }
  }

  /// Class labels stay unchanged. Other labels are converted to classes, with the upper median of train as
  /// threshold.
  double label(const std::vector<std::size_t>& train) {
    std::vector<double> all, trained;
    for (const auto& item : items_) {
      all.push_back(item.reg_label);
    }
    for (const std::size_t row : train) {
      trained.push_back(items_[row].reg_label);
    }
    const double threshold =
        are_classes(all) || trained.empty() ? kClassThreshold : upper_median(std::move(trained));
    for (auto& item : items_) {
      item.cls_label = item.reg_label >= threshold ? 1 : 0;
    }
    return threshold;
  }

  const std::vector<io::DrugOodItem>& items() const { return items_; }

 private:
  fs::path folder_;
  std::string shift_;
  std::vector<io::DrugOodItem> items_;
};

void refuse_options_without_effect(const SplitRequest& request) {
  if (!request.label_columns.empty() || request.algorithm || request.style || request.drop_acyclic ||
      !request.table.assay_column.empty() || request.table.subset) {
    throw UsageError(request.molecules +
                     ": options for domains and labels have no effect on a folder of GOOD's processed files. "
                     "Use only --shift to choose the split");
  }
}

}  // namespace

io::DrugOodFile read_good_folder(const SplitRequest& request) {
  refuse_options_without_effect(request);
  const bool shifted = request.shift != Shift::none;
  GoodFolder folder(request.molecules, shifted ? to_string(request.shift) : "no_shift");
  SplitParts parts;
  folder.add("train", parts.train);
  if (shifted) {
    folder.add("id_val", parts.iid_val);
    folder.add("id_test", parts.iid_test);
  }
  folder.add("val", parts.ood_val);
  folder.add("test", parts.ood_test);
  const double threshold = folder.label(parts.train);
  io::DrugOodFile file = benchmark_file(folder.items(), parts, threshold);
  file.cfg = {{"good_folder", fs::path(request.molecules).filename().string()},
              {"shift", to_string(request.shift)},
              {"algorithm", "good"}};
  return file;
}

}  // namespace molgauge::datasets
