#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>

namespace molgauge::matrix {

/// Figures about the training of an energy head (molecules/ood/run/training_summary.h), and its loss on the
/// test molecules.
struct HeadTraining {
  double final_train_loss = 0, final_validation_loss = 0, test_loss = 0;
  double mean_gradient_norm = 0, largest_gradient_norm = 0;
  double convergence_rate = 0, stability_score = 0;
};

/// The result of a run. A higher score means further out of distribution.
struct CellResult {
  double auroc = 0, aupr = 0, fpr95 = 0;  ///< fractions, on the test molecules, with OOD as the positive
                                          ///< class
  double validation_auroc = 0;            ///< AUROC on the validation molecules, which selects the model and
                                          ///< the point of a grid
  double aupr_id_positive = 0, fpr95_id_positive = 0;  ///< with ID as the positive class
  std::size_t id_count = 0, ood_count = 0;
  double id_mean_score = 0, ood_mean_score = 0;
  std::size_t epochs_run = 0, best_epoch = 0;  ///< best_epoch: 0-based
  double train_seconds = 0, eval_seconds = 0;
  std::uint64_t peak_host_memory_bytes = 0;  ///< peak of the process, which may have run other cells
  std::optional<HeadTraining> head;          ///< none for a baseline
  std::string remark;                        ///< a note for readers, for example about a collapsed classifier
};

/// Returns a note on a result. It says that the classifier gives every molecule the same label, or that parts
/// of the data share molecules although they must not. Returns an empty text in all other cases.
std::string remark_of(bool collapsed, std::size_t shared_molecules);

/// The content of cell.json: the result or the error of a run.
struct EndedCell {
  std::string identity;              ///< a text with all settings and inputs that determine the result
  std::optional<CellResult> result;  ///< none if the run failed
  std::string error;
  bool over_budget = false;  ///< the run failed because it does not fit the memory budget; not in cell.json
};

/// A short text for an identity in plan.csv: 32 hexadecimal digits.
std::string identity_mark(const std::string& identity);

/// Reads cell.json. Returns nothing if the file is missing or unreadable. The cell is then computed again.
std::optional<EndedCell> read_cell(const std::filesystem::path& folder);

/// Replaces cell.json atomically.
void write_cell(const std::filesystem::path& folder, const EndedCell& cell);

}  // namespace molgauge::matrix
