#include "folders.h"

#include "base/core/files/atomic_file.h"
#include "molecules/experiments/matrix/matrix_stats.h"
#include "molecules/experiments/matrix/tables.h"

namespace molgauge::test {
namespace {

std::vector<matrix::Cell> cells() {
  std::vector<matrix::Cell> all;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    for (const double beta : {0.1, 2.0}) {
      all.push_back({"bace", "ecfp", "dpo", "energy", {}, {{"dpo-beta", beta}}, seed, 42});
    }
    all.push_back({"bace", "ecfp", "knn", "knn", {}, {}, seed, 42});
  }
  return all;
}

}  // namespace

std::vector<matrix::Cell> write_matrix(const std::filesystem::path& folder) {
  const auto all = cells();
  std::vector<matrix::CellOutcome> plan;
  for (const auto& cell : all) {
    plan.push_back({cell, {"identity", std::nullopt, ""}});
  }
  matrix::write_plan(folder, plan);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto run = folder / all[i].folder();
    write_run(run);
    matrix::CellResult result;
    result.auroc = 0.7 + 0.01 * static_cast<double>(i);
    result.aupr = 0.6;
    result.fpr95 = 0.5;
    // The first point of the grid has the best validation result, and the second point has the best test
    // result.
    result.validation_auroc = all[i].grid.contains("dpo-beta") && i % 3 == 0 ? 0.9 : 0.8;
    result.id_count = result.ood_count = 3;
    matrix::write_cell(run, {"identity", result, ""});
  }
  matrix::write_matrix_stats(folder, {{{"encoding", 2, 1U << 30, 0}, {"runs", 5, 1U << 31, 0}}, "cpu", 2, 9});
  return all;
}

void write_run(const std::filesystem::path& run) {
  make_folder(run);
  replace_file(run / "detailed_predictions.csv",
               "score,true_label,sample_type,smiles\n"
               "-1,0,ID,CCO\n-0.5,0,ID,c1ccccc1\n0.7,0,ID,CC(=O)O\n"
               "1,1,OOD,CCN\n2,1,OOD,c1ccncc1\n-0.75,1,OOD,C1CCCCC1\n");
  replace_file(run / "training_curve.csv",
               "epoch,train_loss,validation_loss,auroc,aupr,fpr95,learning_rate\n"
               "1,0.7,0.69,0.6,0.5,0.9,0.0001\n2,0.6,0.65,0.7,0.6,0.8,0.0001\n");
  replace_file(run / "config.json", R"({"data_file": "/data/bace.json", "foundation_model": "ecfp",
    "loss_type": "dpo", "seed": 38, "data_seed": 42, "lr": 0.0001, "strict": false})");
}

}  // namespace molgauge::test
