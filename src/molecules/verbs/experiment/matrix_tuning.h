#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "molecules/experiments/matrix/cell.h"
#include "molecules/ood/run/tuned_rows.h"
#include "molecules/ood/run/tuning_plan.h"
#include "molecules/verbs/experiment/matrix_benchmarks.h"
#include "molecules/verbs/experiment/matrix_features.h"
#include "molecules/verbs/train/encoder_tuning.h"

namespace molgauge::verbs {

/// The outputs of the frozen layers of an encoder, for runs that train its last layers.
struct TunedMolecules {
  const TuningParts* parts = nullptr;  ///< parts of the encoder. Each run must copy `trained`
  at::Device device = at::kCPU;        ///< the device of the runs
  MatrixSides facts;                   ///< data without features
  ood::TuningMolecules training;
  std::vector<std::int64_t> test_id, test_ood;
  std::string identity;  ///< identity of the encoder and the molecules, for ood::TunedRows
};

/// The encoders whose last layers are trained by runs of a matrix. Runs that freeze the same layers share the
/// outputs of these layers. The frozen layers encode each distinct molecule once. The outputs stay in memory,
/// or in a file in the folder of the matrix.
class MatrixTuning {
 public:
  /// All arguments except the settings must outlive the object. `settings.encoder` is not used.
  MatrixTuning(const experiment::Spec& spec, const MatrixBenchmarks& benchmarks,
               session::EncodingSettings settings, runtime::BudgetScope& memory,
               std::filesystem::path folder);

  /// Loads the encoders of `cells` and declares the memory of keep(). Every cell must train its encoder.
  void declare_requirement(const std::vector<matrix::Cell>& cells);
  /// Runs the frozen layers. Failed molecules are appended to `failed` and left out of the runs.
  void keep(pipeline::FailureLog& failed);

  /// Plans a run. Call it after declare_requirement(). Memory that keep() has already allocated does not
  /// count towards the plan.
  ood::TrainingPlan plan(const matrix::Cell& cell, const ood::TrainingOptions& options,
                         const ood::TensorBudget& budget) const;
  /// The molecules of a cell. Call it after keep(). Thread safe.
  const TunedMolecules& of(const matrix::Cell& cell) const;

 private:
  /// The key is the encoder and its frozen layers.
  using GroupName = std::pair<std::string, std::string>;
  /// The key is the benchmark and the data seed.
  using PlaceName = std::pair<std::string, std::uint64_t>;

  struct Place {
    std::vector<memory::ItemSize> sizes;  ///< estimated sizes of the drawn molecules, or of the largest
    TunedMolecules molecules;
  };
  struct Group {
    TrainRequest request;
    TuningParts parts;  ///< parts of the encoder, without the frozen part after keep()
    std::map<PlaceName, Place> places;
    std::uint64_t kept_bytes = 0;    ///< bytes for all molecules
    std::uint64_t frozen_bytes = 0;  ///< bytes of the smallest batches of the frozen part
    std::optional<bool> is_on_disk;  ///< whether the outputs are on disk; known after keep()
  };

  static PlaceName place_name(const matrix::Cell& cell) { return {cell.benchmark, cell.data_seed}; }
  GroupName group_name(const matrix::Cell& cell) const;
  void estimate(Group& group) const;
  void keep(Group& group, pipeline::FailureLog& failed);

  const experiment::Spec& spec_;
  const MatrixBenchmarks& benchmarks_;
  session::EncodingSettings settings_;
  runtime::BudgetScope& memory_;
  std::filesystem::path folder_;
  std::map<GroupName, Group> groups_;
};

}  // namespace molgauge::verbs
