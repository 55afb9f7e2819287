#include "ood/training_dynamics.h"

#include <fmt/format.h>

#include "core/atomic_file.h"

namespace headroom::ood {

void write_training_dynamics(const std::filesystem::path& path, const std::vector<PairStatistics>& epochs) {
  std::string text = "epoch,misranked_ratio,boundary_ratio,avg_margin\n";
  for (std::size_t i = 0; i < epochs.size(); ++i) {
    text += fmt::format("{},{},{},{}\n", i + 1, epochs[i].misranked_ratio, epochs[i].boundary_ratio,
                        epochs[i].avg_margin);
  }
  replace_file(path, text);
}

}  // namespace headroom::ood
