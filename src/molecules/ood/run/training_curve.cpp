#include "molecules/ood/run/training_curve.h"

#include <string>

#include <fmt/format.h>

#include "base/core/files/atomic_file.h"

namespace molgauge::ood {

void write_training_curve(const std::filesystem::path& path, const std::vector<EpochRecord>& epochs) {
  std::string text = "epoch,train_loss,validation_loss,auroc,aupr,fpr95,learning_rate,gradient_norm\n";
  for (std::size_t i = 0; i < epochs.size(); ++i) {
    const EpochRecord& epoch = epochs[i];
    text += fmt::format("{},{},{},{},{},{},{},{}\n", i + 1, epoch.train_loss, epoch.validation_loss,
                        epoch.auroc, epoch.aupr, epoch.fpr95, epoch.learning_rate, epoch.gradient_norm);
  }
  replace_file(path, text);
}

void write_training_dynamics(const std::filesystem::path& path, const std::vector<PairStatistics>& epochs) {
  std::string text = "epoch,misranked_ratio,boundary_ratio,avg_margin\n";
  for (std::size_t i = 0; i < epochs.size(); ++i) {
    text += fmt::format("{},{},{},{}\n", i + 1, epochs[i].misranked_ratio, epochs[i].boundary_ratio,
                        epochs[i].avg_margin);
  }
  replace_file(path, text);
}

}  // namespace molgauge::ood
