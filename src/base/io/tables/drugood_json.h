#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace molgauge::io {

/// One measured molecule of a DrugOOD file.
struct DrugOodItem {
  std::string smiles;  ///< unchanged from the file
  double reg_label = 0;
  std::int64_t assay_id = 0;
  int cls_label = 0;  ///< 0 or 1
  std::int64_t domain_id = 0;
  std::optional<std::string> protein;  ///< protein tasks only
  std::size_t line = 0;                ///< 1-based line of the file at which the item starts; not written
  /// Additions of Molgauge. "labels": all labels of a molecule with several labels, null for unknown labels.
  /// "environment": the environment of a training molecule in a GOOD split.
  std::vector<std::optional<double>> labels = {};
  std::optional<std::int64_t> environment = {};
};

enum class DrugOodPart { train, iid_val, iid_test, ood_val, ood_test };
inline constexpr std::array kDrugOodParts = {DrugOodPart::train, DrugOodPart::iid_val, DrugOodPart::iid_test,
                                             DrugOodPart::ood_val, DrugOodPart::ood_test};
/// The key in the file.
const char* to_string(DrugOodPart part);

/// A molecular benchmark with a distribution shift (Ji et al. 2022, DrugOOD): {"cfg", "split", "statistics"}.
struct DrugOodFile {
  nlohmann::ordered_json cfg, statistics;  ///< objects that are kept unchanged
  std::array<std::vector<DrugOodItem>, kDrugOodParts.size()> parts;
  /// Order of the parts in the file: DrugOOD's own files have ood_val and ood_test before iid_val.
  std::array<DrugOodPart, kDrugOodParts.size()> order = kDrugOodParts;

  std::vector<DrugOodItem>& operator[](DrugOodPart part) { return parts[static_cast<std::size_t>(part)]; }
  const std::vector<DrugOodItem>& operator[](DrugOodPart part) const {
    return parts[static_cast<std::size_t>(part)];
  }
};

/// Reads a file, which may be compressed with gzip. "split" with its five lists is required, and so is every
/// key of every item. "cfg" and "statistics" are optional. Throws InputError naming the file, the line if
/// known, the item ("split.train[7].cls_label") and the expected content.
DrugOodFile read_drugood_json(const std::string& path);

/// Writes a file atomically, with one item per line. Throws Error naming the path if the file cannot be
/// written.
void write_drugood_json(const std::filesystem::path& path, const DrugOodFile& content);

}  // namespace molgauge::io
