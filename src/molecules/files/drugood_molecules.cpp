#include <array>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/text/nearest_name.h"
#include "base/io/bytes/line_reader.h"
#include "base/io/tables/drugood_json.h"
#include "molecules/files/molecule_formats.h"

namespace molgauge::io {
namespace {

std::string field_of(const DrugOodItem& item, DrugOodPart part, const std::string& name) {
  if (name == "reg_label") {
    return fmt::format("{}", item.reg_label);
  }
  if (name == "assay_id") {
    return std::to_string(item.assay_id);
  }
  if (name == "cls_label") {
    return std::to_string(item.cls_label);
  }
  if (name == "domain_id") {
    return std::to_string(item.domain_id);
  }
  return name == "split" ? to_string(part) : item.protein.value_or("");
}

constexpr std::array<const char*, 7> kColumns = {"smiles",    "reg_label", "assay_id", "cls_label",
                                                 "domain_id", "split",     "protein"};

class DrugOodMolecules final : public MoleculeReader {
 public:
  DrugOodMolecules(const std::string& path, const MoleculeReaderOptions& options)
      : file_(path), wanted_(options.extra_columns), content_(read_drugood_json(path)) {
    refuse_smiles_column(path, options, "a DrugOOD file");
    all_columns_ = options.own_columns == OwnColumns::all;
    for (const std::string& name : wanted_) {
      if (name != "reg_label" && name != "assay_id" && name != "cls_label" && name != "domain_id" &&
          name != "split" && name != "protein") {
        throw InputError(path + ": a DrugOOD file has no column \"" + name +
                         "\". It has reg_label, assay_id, cls_label, domain_id, protein and split" +
                         did_you_mean(name, std::vector<std::string>(kColumns.begin(), kColumns.end())));
      }
    }
  }

  std::optional<MoleculeRow> next() override {
    while (part_ < content_.order.size() && item_ == content_[content_.order[part_]].size()) {
      ++part_;
      item_ = 0;
    }
    if (part_ == content_.order.size()) {
      return std::nullopt;
    }
    const DrugOodPart part = content_.order[part_];
    const DrugOodItem& item = content_[part][item_++];
    MoleculeRow molecule{
        {std::string(trimmed(item.smiles)), chem::RecordFormat::smiles, count_++, item.line, file_, {}}, {}};
    cut_long_text(molecule.record);
    for (const std::string& name : wanted_) {
      molecule.fields.push_back(field_of(item, part, name));
    }
    if (all_columns_) {
      molecule.fields.push_back(molecule.record.text);
      for (std::size_t i = 1; i < kColumns.size(); ++i) {
        molecule.fields.push_back(field_of(item, part, kColumns[i]));
      }
    }
    return molecule;
  }

  std::vector<std::string> columns() const override {
    return all_columns_ ? std::vector<std::string>(kColumns.begin(), kColumns.end())
                        : std::vector<std::string>();
  }

 private:
  std::string file_;
  std::vector<std::string> wanted_;
  bool all_columns_ = false;
  DrugOodFile content_;
  std::size_t part_ = 0, item_ = 0, count_ = 0;  ///< part_: index of the part in the order of the file
};

}  // namespace

std::unique_ptr<MoleculeReader> open_drugood_molecules(const std::string& path,
                                                       const MoleculeReaderOptions& options) {
  return std::make_unique<DrugOodMolecules>(path, options);
}

}  // namespace molgauge::io
